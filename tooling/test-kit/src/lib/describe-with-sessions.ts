import { describe, test } from "vitest";
import { openSessionFile, openSessionsDir } from "./open-sessions.ts";

/**
 * A group of tests over recorded sessions. `body` gets a function from a session's name to its path, which throws for a
 * name that is not there. Where no sessions are laid out the group is one skipped test that says so.
 */
export function describeWithSessions(title: string, body: (sessionFile: (name: string) => string) => void): void {
  if (openSessionsDir() === undefined) {
    describe(title, () => {
      test.skip("skipped: ../shared/sessions/open is not beside the repository", () => {});
    });
    return;
  }
  describe(title, () =>
    body((name) => {
      const path = openSessionFile(name);
      if (path === undefined) throw new Error(`no recorded session is named ${name}`);
      return path;
    }),
  );
}

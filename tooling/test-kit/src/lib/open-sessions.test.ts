import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { describeWithSessions } from "./describe-with-sessions.ts";
import { openSessionFile } from "./open-sessions.ts";

test("a session that does not exist has no path", () => {
  expect(openSessionFile("no-such-session.jsonl")).toBeUndefined();
});

describeWithSessions("with recorded sessions", (sessionFile) => {
  test("a session is found by its name", () => {
    const path = sessionFile("pi-v3__trl__copilot-opus.jsonl");
    expect(isAbsolute(path)).toBe(true);
    expect(openSessionFile("pi-v3__trl__copilot-opus.jsonl")).toBe(path);
  });

  test("a misspelt name is told", () => {
    expect(() => sessionFile("misspelt.jsonl")).toThrow("no recorded session is named misspelt.jsonl");
  });
});

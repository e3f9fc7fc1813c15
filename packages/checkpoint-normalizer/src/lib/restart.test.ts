import { checkRequest, describeWithSessions } from "@holdfast/test-kit";
import { readTranscript } from "@holdfast/transcripts";
import { expect, test } from "vitest";
import { checkpoint } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { selectCheckpoint } from "./select-checkpoint.ts";

describeWithSessions("a restart at any point of a recorded session", (sessionFile) => {
  test("rebuilds the bytes that the running process had, whatever message is the boundary", async () => {
    const [conversation] = (await readTranscript(sessionFile("pi-v3__trl__copilot-opus.jsonl"))).conversations;
    const transcript = conversation?.messages ?? [];
    const reopened = JSON.parse(JSON.stringify(transcript)) as typeof transcript;
    for (const [boundary, { id }] of transcript.entries()) {
      const retainedTail = transcript.slice(Math.max(0, boundary - 30), boundary + 1);
      const record = checkpoint(
        id,
        { retainedTailShape: "recent_window", fallback: "retained_tail" },
        { retainedTail },
      );
      const running = rebuildContext({ transcript, checkpoint: record });
      const stored: unknown = JSON.parse(JSON.stringify(record));
      const selected = selectCheckpoint([stored], reopened);
      const restarted = rebuildContext({ transcript: reopened, checkpoint: selected.checkpoint });
      expect(JSON.stringify(restarted)).toBe(JSON.stringify(running));
      expect(checkRequest(restarted, { startsWithUser: true })).toEqual([]);
    }
    expect(transcript.length).toBeGreaterThan(100);
  });
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Message, shape } from "@holdfast/message-schema";
import { findPairingProblems, selectTailWindow } from "@holdfast/tail-window";
import { describeWithSessions, openSessionsDir } from "@holdfast/test-kit";
import { readTranscript, TranscriptError } from "@holdfast/transcripts";
import { expect, test } from "vitest";

const budgets = [500, 2_000, 8_000, 20_000, 64_000];

const countTokens = (message: Message): number => Math.ceil(JSON.stringify(message.content).length / 4);

/** The conversations of a recorded session; none when no reader exists for its format. */
async function conversationsOf(path: string): Promise<readonly (readonly Message[])[]> {
  try {
    const { conversations } = await readTranscript(path);
    return conversations.map(({ messages }) => messages);
  } catch (error) {
    if (error instanceof TranscriptError) return [];
    throw error;
  }
}

describeWithSessions("windows of recorded sessions", () => {
  const directory = openSessionsDir() ?? "";

  test.each(readdirSync(directory))("%s: valid and within every budget, with the request ahead", async (name) => {
    for (const messages of await conversationsOf(join(directory, name))) {
      for (const budgetTokens of budgets) {
        const window = selectTailWindow(messages, { budgetTokens, countTokens, shape, anchor: "latest-request" });
        expect(findPairingProblems(window.messages, shape)).toEqual([]);
        const tokens = window.messages
          .slice(messages.findIndex(({ role }) => role !== "system"))
          .reduce((sum, message) => sum + countTokens(message), 0);
        expect(tokens).toBe(window.tokens);
        expect(tokens).toBeLessThanOrEqual(budgetTokens);
        expect(
          window.messages.length > 0 ||
            messages.every((message) => shape.isEmpty(message) || shape.isDiscarded(message)),
        ).toBe(true);
      }
    }
  });
});

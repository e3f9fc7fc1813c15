import { RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import type { Message } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { builtFallback } from "../fixtures/fallback-input.ts";
import { assistant, exchange, user, words } from "../fixtures/messages.ts";
import type { FallbackInput } from "./policy.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

const build = (transcript: readonly Message[], changes: Partial<FallbackInput> = {}) =>
  builtFallback(recentWindowV2, transcript, changes);
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

describe("recent-window@2", () => {
  it("keeps the whole range of a short conversation, word for word", () => {
    const transcript = [
      user("u1", "Fix the parser."),
      ...exchange("a1", { id: "c1", result: "ok" }),
      assistant("a2", "Done."),
    ];

    expect(build(transcript).retainedTail).toEqual(transcript);
  });

  it("says between its marks that older messages are missing and that there is no summary", () => {
    expect(build([user("u1", "Fix the parser."), assistant("a1", "Done.")]).summary).toBe(
      [
        RECOVERY_NOTICE_START,
        "Older messages of this conversation are not in your context: they were left out to make room.",
        "There is no earlier summary of them.",
        "The messages that follow are the newest ones. Where one was shortened, a marker in it says so.",
        "What you cannot see here you do not know: check the files as they are now or ask, and do not guess.",
        RECOVERY_NOTICE_END,
      ].join("\n"),
    );
  });

  it.each([
    ["an unanswered request", [user("u2", "Now the printer."), assistant("a2", "Look", "aborted")]],
    [
      "a note of the system behind the request",
      [
        user("u2", "Delete the database."),
        { id: "s3", role: "system", content: "A note." } as const,
        assistant("a4", "", "aborted"),
      ],
    ],
    ["a tool result", [user("u2", "Now the printer."), ...exchange("a2", { id: "c", result: "cut off" })]],
  ])("says that a completed turn that ends on %s was stopped", (_, end) => {
    const stopped =
      "The request they belong to was stopped before it was finished. Do not resume it unless the user asks.";
    const transcript = [user("u1", "Fix the parser."), assistant("a1", "Done."), ...end];

    expect(build(transcript, { mode: "completed_turn" }).summary).toContain(stopped);
    expect(build(transcript, { mode: "active_turn" }).summary).not.toContain(stopped);
    expect(build(transcript.slice(0, 2), { mode: "completed_turn" }).summary).not.toContain(stopped);
  });

  it("leaves out discarded answers and the results of their calls, and says which", () => {
    const [failed, ...results] = exchange("a1", { id: "c1", result: "half" });
    const transcript: Message[] = [
      user("u1", "Fix the parser."),
      { ...(failed as Message & { role: "assistant" }), stopReason: "aborted" },
      ...results,
      assistant("a2", "Fixed."),
    ];
    const { retainedTail, report } = build(transcript);

    expect(ids(retainedTail)).toEqual(["u1", "a2"]);
    expect(report.omitted.map(({ id }) => id).toSorted()).toEqual(["a1", "a1:c1"]);
  });

  it("clears the usage of what it keeps and changes nothing else", () => {
    const answer = {
      ...assistant("a1", "Done."),
      provider: "p",
      usage: { input: 9, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 10 },
    };
    const { retainedTail } = build([user("u1", "Fix it."), answer]);

    expect(retainedTail[1]).toEqual({ ...assistant("a1", "Done."), provider: "p" });
  });

  it("treats a system message at the head of the range as an ordinary message", () => {
    const note: Message = { id: "s1", role: "system", content: words(5000) };
    const transcript = [note, user("u1", "Fix it."), assistant("a1", words(4500))];

    expect(ids(build(transcript).retainedTail)).toEqual(["u1", "a1"]);
  });

  it("records what happened in the closed vocabulary and nothing of the provider's", () => {
    const transcript = [
      user("u1", "Fix it."),
      ...exchange("a1", { id: "c1", name: "read", arguments: { path: "src/a.ts" }, result: "text" }),
      ...exchange("a2", { id: "c1", name: "edit", arguments: { path: "src/b.ts" }, result: "done" }),
      ...exchange("a3", { id: "c1", name: "edit", arguments: { path: "src/c.ts" }, result: "no match", isError: true }),
    ];
    const { details } = build(transcript, {
      previousDetails: {
        generation: 4,
        readFiles: ["src/old.ts"],
        modifiedFiles: ["src/a.ts"],
        promptVersion: "2",
        calibration: 1.25,
      },
    });

    expect(details).toEqual({
      generation: 5,
      strategy: "summary",
      readFiles: ["src/old.ts"],
      modifiedFiles: ["src/a.ts", "src/b.ts"],
      retainedTailMode: "active_turn",
      retainedTailShape: "recent_window",
      fallback: "retained_tail",
      failureReason: "summary_provider",
      policy: "recent-window@2",
      uncovered: [{ from: "u1", through: "a3:c1" }],
      promptVersion: "2",
      calibration: 1.25,
    });
  });
});

import type { Message } from "@holdfast/message-schema";
import { checkRequest } from "@holdfast/test-kit";
import { describe, expect, test } from "vitest";
import { assistant, calls, checkpoint, ids, injected, result, system, user } from "./fixtures/conversation.ts";
import { rebuildContext } from "./rebuild-context.ts";
import { summaryMessage } from "./summary-message.ts";

describe("the context of the next request", () => {
  test("is the summary message, the tail, and what lies behind the boundary", () => {
    const transcript = [system("s0"), user("u1"), calls("a1", "c1"), result("r1", "c1"), assistant("a2"), user("u3")];
    const tail = transcript.slice(1, 4);
    const record = checkpoint("a2", { retainedTailShape: "recent_window" }, { retainedTail: tail });
    expect(rebuildContext({ transcript, checkpoint: record })).toEqual([
      {
        id: "summary:ck-a2",
        role: "user",
        content: "Earlier messages of this conversation were compacted. What is known of them:\n\nsummary through a2",
        origin: "injected",
      },
      ...tail,
      user("u3"),
    ]);
  });

  test("without a checkpoint is the transcript without its leading system messages", () => {
    const transcript = [system("s0"), system("s1"), user("u1"), system("s2"), user("u3")];
    expect(ids(rebuildContext({ transcript }))).toEqual(["u1", "s2", "u3"]);
    expect(rebuildContext({ transcript: [] })).toEqual([]);
    expect(rebuildContext({ transcript: [system("s0")] })).toEqual([]);
  });

  test("leaves leading system messages out also when the boundary stands among them", () => {
    const transcript = [system("s0"), system("s1"), user("u1")];
    expect(ids(rebuildContext({ transcript, checkpoint: checkpoint("s0") }))).toEqual(["summary:ck-s0", "u1"]);
  });

  test("hands the transcript's own objects on where nothing had to change", () => {
    const transcript = [user("u1"), calls("a1", "c1"), result("r1", "c1"), assistant("a2"), user("u3")];
    rebuildContext({ transcript }).forEach((message, index) => {
      expect(message).toBe(transcript[index]);
    });
  });

  test("keeps the usage of messages behind the boundary, which measured this context", () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
    const transcript = [user("u1"), assistant("a1", { usage }), user("u2"), assistant("a2", { usage })];
    const record = checkpoint("a1", { retainedTailShape: "recent_window" }, { retainedTail: transcript.slice(0, 2) });
    const context = rebuildContext({ transcript, checkpoint: record });
    expect(context.map((message) => "usage" in message)).toEqual([false, false, false, false, true]);
  });

  test("reads nothing before the boundary", () => {
    const hidden = Array.from({ length: 50 }, (_, index) => user(`h${index}`));
    const untouchable = hidden.map((message) =>
      Object.defineProperty({ ...message }, "content", {
        get: () => {
          throw new Error("read");
        },
      }),
    );
    const transcript: Message[] = [...untouchable, assistant("a1"), user("u2")];
    expect(ids(rebuildContext({ transcript, checkpoint: checkpoint("a1") }))).toEqual(["summary:ck-a1", "u2"]);
  });
});

describe("what a strict provider refuses is not in it", () => {
  function context(...transcript: Message[]): Message[] {
    const before = JSON.stringify(transcript);
    const rebuilt = rebuildContext({ transcript: [user("z0"), ...transcript], checkpoint: checkpoint("z0") });
    expect(JSON.stringify(transcript)).toBe(before);
    expect(checkRequest(rebuilt, { startsWithUser: true })).toEqual([]);
    return rebuilt.slice(1);
  }

  test("a failed, aborted or deferred answer and the results of its calls", () => {
    const failed = { ...calls("a1", "c1"), stopReason: "aborted" as const };
    const deferred = assistant("a2", { stopReason: "deferred" });
    expect(
      ids(context(user("u1"), failed, result("r1", "c1"), deferred, assistant("a3", { stopReason: "error" }))),
    ).toEqual(["u1"]);
  });

  test("SE-02 a result whose call is gone, and a call that nothing answers", () => {
    expect(ids(context(user("u1"), calls("a1", "b"), result("ra", "a"), result("rb", "b")))).toEqual([
      "u1",
      "a1",
      "rb",
    ]);
    expect(context(calls("a1", "a", "b"), result("ra", "a"))).toEqual([calls("a1", "a"), result("ra", "a")]);
  });

  test("SC-01 an id that is used again pairs by position", () => {
    const list = [calls("a1", "0"), result("r1", "0"), calls("a2", "0"), result("r2", "0"), user("u3")];
    expect(context(...list)).toEqual(list);
  });

  test("a second result for an answered call", () => {
    expect(ids(context(calls("a1", "c1"), result("r1", "c1"), result("r2", "c1")))).toEqual(["a1", "r1"]);
  });

  test("something between a call and its result: the result moves, the rest follows in order", () => {
    const list: Message[] = [
      calls("a1", "c1", "c2"),
      result("r2", "c2"),
      user("u2"),
      injected("i3"),
      result("r1", "c1"),
      assistant("a4"),
    ];
    expect(ids(context(...list))).toEqual(["a1", "r2", "r1", "u2", "i3", "a4"]);
    expect(context(...list).every((message) => list.includes(message))).toBe(true);
  });

  test("exchanges that overlap: every result finds its own call", () => {
    const list = [calls("a1", "x"), calls("a2", "y"), result("rx", "x"), result("ry", "y"), user("u3")];
    expect(ids(context(...list))).toEqual(["a1", "rx", "a2", "ry", "u3"]);
  });

  test("SC-03 blank text, answers that only reason, and a tool that printed nothing", () => {
    const reasoning = assistant("a2", {
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "" },
      ],
    });
    const silent = result("r3", "c3", " \n");
    const rebuilt = context(
      user("u0", " "),
      assistant("a1", { content: [{ type: "text", text: " \n" }] }),
      reasoning,
      calls("a3", "c3"),
      silent,
    );
    expect(rebuilt).toEqual([calls("a3", "c3"), { ...silent, content: [{ type: "text", text: "(no output)" }] }]);
  });

  test("blank notes of the system, and blank parts of them, where a tail begins", () => {
    const text = (words: string) => ({ type: "text", text: words }) as const;
    const retainedTail: Message[] = [
      { ...system("s1"), content: [] },
      { ...system("s2"), content: [text(" "), text("Rule.")] },
      user("u3"),
    ];
    const record = checkpoint("u3", { retainedTailShape: "recent_window" }, { retainedTail });
    const context = rebuildContext({ transcript: [user("u3"), user("u4")], checkpoint: record });
    expect(context.slice(1)).toEqual([{ ...system("s2"), content: [text("Rule.")] }, user("u3"), user("u4")]);
  });

  test("a blank part beside one that says something", () => {
    const parts = [
      { type: "text" as const, text: "" },
      { type: "text" as const, text: "go" },
    ];
    expect(context(user("u1", parts))).toEqual([user("u1", [{ type: "text", text: "go" }])]);
  });

  test("a call without an id or a name, and its result", () => {
    expect(ids(context(user("u1"), calls("a1", ""), result("r1", "")))).toEqual(["u1"]);
  });
});

describe("the message that stands for what was compacted", () => {
  test("is the same bytes for the same record, and takes `$&` in a summary literally", () => {
    const record = checkpoint("a1", {}, { summary: "\n cost: $& $1 \n" });
    expect(summaryMessage(record).content).toBe(
      "Earlier messages of this conversation were compacted. What is known of them:\n\ncost: $& $1",
    );
    expect(JSON.stringify(summaryMessage(record))).toBe(JSON.stringify(summaryMessage(structuredClone(record))));
  });

  test("says so where the summary cannot be read, where there is none, and after a fresh window", () => {
    expect(summaryMessage(checkpoint("a1", {}, { summary: null })).content).toBe(
      "Earlier messages of this conversation were compacted by another tool, and the summary it made cannot be read here.",
    );
    expect(summaryMessage(checkpoint("a1", {}, { summary: "" })).content).toBe(
      "Earlier messages of this conversation are no longer in view, and there is no summary of them.",
    );
    expect(summaryMessage(checkpoint("a1", { strategy: "fresh_window" }, { summary: "" })).content).toBe(
      "Earlier messages of this conversation were set aside on purpose. A new context window begins here.",
    );
  });
});

test("a damaged boundary sends no message twice", () => {
  const transcript = [user("u1"), assistant("a1"), user("u2"), assistant("a2")];
  const record = checkpoint("u1", { retainedTailShape: "recent_window" }, { retainedTail: transcript.slice(0, 3) });
  expect(ids(rebuildContext({ transcript, checkpoint: record }))).toEqual(["summary:ck-u1", "u1", "a1", "u2", "a2"]);
});

test("NO-07 what live recovery left out stays out when the session is opened again", () => {
  const bad = assistant("bad", { stopReason: "error" });
  const transcript = [user("u1"), assistant("a1"), user("u2"), bad, assistant("good")];
  const live = rebuildContext({ transcript, checkpoint: checkpoint("a1") });
  const reopened = rebuildContext(JSON.parse(JSON.stringify({ transcript, checkpoint: checkpoint("a1") })));
  expect(ids(live)).toEqual(["summary:ck-a1", "u2", "good"]);
  expect(reopened).toEqual(live);
});

test("empty reasoning without a signature is not sent", () => {
  const answer: Message = {
    id: "a1",
    role: "assistant",
    stopReason: "stop",
    content: [
      { type: "thinking", thinking: "" },
      { type: "thinking", thinking: "", signature: "sealed" },
      { type: "text", text: "ok" },
    ],
  };
  const [, sent] = rebuildContext({ transcript: [user("u1"), answer, user("u2")] });
  expect(sent?.content).toEqual(answer.content.slice(1));
});

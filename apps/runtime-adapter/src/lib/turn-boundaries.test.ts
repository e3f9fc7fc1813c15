import { expect, test } from "vitest";
import type { CompactionReport } from "./compaction-report.ts";
import { conversation, failing, good, idsOf, sent, setup } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";
import { NEW_CONTEXT_RESULT, newContextTool } from "./new-context-tool.ts";

const small = conversation(4);

test("the tool by which a model asks for a new window takes no parameters, and its result is a text", () => {
  expect(newContextTool).toMatchObject({ name: "new_context", parameters: { type: "object", properties: {} } });
  expect(NEW_CONTEXT_RESULT).toMatch(/\S/);
});

test("a new window that is asked for in a tool loop keeps the request and goes on with it", async () => {
  const { compactor } = setup(() => good);
  compactor.requestNewContext();
  const request = sent(await compactor.prepareRequest({ messages: conversation(4, "u999 a999[n] r(n)") }));
  expect(request.compaction).toMatchObject({ trigger: "new_context", outcome: "summary", mode: "active_turn" });
  expect(idsOf(request.messages).slice(1)).toEqual(["u999"]);
});

test("a new window that is asked for with nothing new is unchanged, and asks nobody", async () => {
  const { compactor, asked, store } = setup(() => good);
  compactor.requestNewContext();
  const first = sent(await compactor.prepareRequest({ messages: small }));
  const requests = asked.length;
  compactor.requestNewContext();
  const second = sent(await compactor.prepareRequest({ messages: small }));
  expect(second.compaction).toMatchObject({ outcome: "unchanged", failureReason: "no_new_history" });
  expect(second.messages).toEqual(first.messages);
  expect(asked).toHaveLength(requests);
  expect(await store.list("c")).toHaveLength(1);
});

test("a new window that fails is not fatal below the hard limit: the request goes out", async () => {
  for (const messages of [small, conversation(15)]) {
    const { compactor } = setup(failing);
    compactor.requestNewContext();
    const request = sent(await compactor.prepareRequest({ messages }));
    expect(request.compaction).toMatchObject({ failureReason: "summary_provider" });
    expect(request.messages.at(-1)?.id).toBe("u999");
  }
});

test("a new window that fails where all of it would be kept leaves the request as it is, and nothing is written", async () => {
  const { compactor, store } = setup(failing);
  compactor.requestNewContext();
  const request = sent(await compactor.prepareRequest({ messages: small }));
  expect(request.compaction).toMatchObject({ outcome: "failed", failureReason: "summary_provider", checkpoint: null });
  expect(request.messages).toEqual(small);
  expect(await store.list("c")).toEqual([]);
});

test("a new window that is asked for too soon after one that failed is answered with `unchanged`, and asks nobody", async () => {
  const { compactor, asked } = setup(failing);
  compactor.requestNewContext();
  await compactor.prepareRequest({ messages: small });
  const requests = asked.length;
  const ended: CompactionReport[] = [];
  compactor.on("compaction_end", (report) => ended.push(report));
  compactor.requestNewContext();
  const request = sent(await compactor.prepareRequest({ messages: small }));
  expect(request.compaction).toMatchObject({
    trigger: "new_context",
    outcome: "unchanged",
    failureReason: "summary_provider",
  });
  expect(ended).toEqual([request.compaction]);
  expect(asked).toHaveLength(requests);
  expect(sent(await compactor.prepareRequest({ messages: small })).compaction).toBeUndefined();
});

test("a new window that was asked for is made after an abort, too", async () => {
  const { compactor } = setup(() => good);
  compactor.requestNewContext();
  const signal = AbortSignal.abort();
  expect(await compactor.prepareRequest({ messages: small, signal })).toEqual({ kind: "aborted" });
  const request = sent(await compactor.prepareRequest({ messages: small }));
  expect(request.compaction).toMatchObject({ trigger: "new_context", outcome: "summary" });
});

test("at the end of a turn nothing happens until it is due", async () => {
  const { compactor, asked } = setup(() => good);
  expect(await compactor.endTurn({ messages: conversation(4, "u998 a998") })).toBeUndefined();
  expect(asked).toHaveLength(0);
});

test("a compaction at the end of a turn completes it, and the next prompt waits for none", async () => {
  const { compactor, asked } = setup(() => good);
  const ended = conversation(24, "u998 a998");
  expect(await compactor.endTurn({ messages: ended })).toMatchObject({
    trigger: "end_turn",
    outcome: "summary",
    mode: "completed_turn",
    retained: { user: 0, assistant: 0, tool: 0 },
  });
  const requests = asked.length;
  const request = sent(await compactor.prepareRequest({ messages: [...ended, ...transcriptOf("u999")] }));
  expect(request.compaction).toBeUndefined();
  expect(idsOf(request.messages).slice(1)).toEqual(["u999"]);
  expect(asked).toHaveLength(requests);
});

test("when the summary fails at the end of a turn the window stays, and the next prompt goes on from it", async () => {
  const { compactor } = setup(failing);
  const ended = conversation(24, "u998 a998");
  expect(await compactor.endTurn({ messages: ended })).toMatchObject({ outcome: "fallback", mode: "completed_turn" });
  const request = sent(await compactor.prepareRequest({ messages: [...ended, ...transcriptOf("u999")] }));
  const window = request.messages.slice(1, -1);
  expect(window.length).toBeGreaterThan(10);
  expect(window).toEqual(ended.slice(-window.length));
});

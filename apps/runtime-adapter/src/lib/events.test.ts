import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { type SummaryAnswer, SummaryModelError } from "@holdfast/chunked-summarizer";
import { definePolicy } from "@holdfast/fallback-policy";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CompactionError } from "./compaction-error.ts";
import type { Compactor } from "./compactor.ts";
import { type Complete, conversation, failing, good, sent, setup } from "./fixtures/compactor-setup.ts";

const due = conversation(24);
const mistakeOfAModel = new TypeError("client.messages is undefined");
const mistakeOfAListener = new Error("a mistake in a listener");

/** Every event as it was told, in order. */
function record(compactor: Compactor): [string, unknown][] {
  const events: [string, unknown][] = [];
  for (const name of ["compaction_start", "compaction_progress", "compaction_end"] as const) {
    compactor.on(name, (event) => events.push([name, event]));
  }
  return events;
}

test("a compaction of three links tells its start, each link, and its end with what it did", async () => {
  const { compactor, asked } = setup(() => good, { model: { contextWindow: 100_000, maxOutputTokens: 8000 } });
  const events = record(compactor);
  const request = sent(await compactor.prepareRequest({ messages: conversation(72), overheadTokens: 1000 }));
  expect(asked.length).toBeGreaterThan(2);
  const links = asked.map((_, index) => index + 1);
  expect(events.map(([name]) => name)).toEqual([
    "compaction_start",
    ...links.map(() => "compaction_progress"),
    "compaction_end",
  ]);
  const [[, start] = [], ...others] = events;
  expect(start).toMatchObject({
    trigger: "automatic",
    plan: {
      kind: "ask_model",
      generation: 1,
      throughMessageId: "a71x",
      tokensBefore: request.compaction?.tokensBefore,
    },
  });
  expect(JSON.parse(JSON.stringify(start))).toEqual(start);
  expect(others.slice(0, -1).map(([, progress]) => progress)).toMatchObject(
    links.map((link) => ({ link, links: links.length, requests: link })),
  );
  const [, end] = others.at(-1) ?? [];
  expect(end).toBe(request.compaction);
  expect(end).toMatchObject({
    outcome: "summary",
    summaryRequests: links.length,
    usage: { inputTokens: 10 * links.length, outputTokens: 5 * links.length },
    range: { user: 72, assistant: 144, tool: 72 },
    retained: { user: 0, assistant: 0, tool: 0 },
    leftOut: { user: 72, assistant: 144, tool: 72 },
    tokensAfter: request.tokens,
  });
});

test("nothing is written when the start is told, and the new state is in force when the end is", async () => {
  const { compactor, store } = setup(() => good);
  const lengths: Promise<number>[] = [];
  const look = async () => (await store.list("c")).length;
  compactor.on("compaction_start", () => lengths.push(look()));
  compactor.on("compaction_end", () => lengths.push(look()));
  await compactor.prepareRequest({ messages: due });
  expect(await Promise.all(lengths)).toEqual([0, 1]);
});

test("a fallback says why, how often was asked, and what stays by role", async () => {
  const { compactor } = setup(failing);
  const events = record(compactor);
  const request = sent(await compactor.prepareRequest({ messages: due }));
  const kept = request.messages.slice(1, -1);
  const count = (role: string) => kept.filter((message) => message.role === role).length;
  expect(events.at(-1)?.[1]).toMatchObject({
    outcome: "fallback",
    failureReason: "summary_provider",
    policy: "recent-window@2",
    // The first sending and three more after waits.
    summaryRequests: 4,
    retained: { user: count("user"), assistant: count("assistant"), tool: count("toolResult") },
  });
  expect(events.filter(([name]) => name === "compaction_progress")).toHaveLength(4);
});

test("a compaction with nothing to do tells its end alone", async () => {
  const { compactor } = setup(() => good);
  await compactor.prepareRequest({ messages: due });
  const events = record(compactor);
  compactor.requestNewContext();
  sent(await compactor.prepareRequest({ messages: due }));
  expect(events).toMatchObject([["compaction_end", { outcome: "unchanged", failureReason: "no_new_history" }]]);
});

test("a policy of the host's own that throws is heard of, its compaction ends, and the next request goes out", async () => {
  const mistake = new Error("a mistake in the policy");
  const policy = definePolicy({
    id: "own@1",
    build: () => {
      throw mistake;
    },
  });
  const { compactor, store } = setup(failing, { policy });
  const events = record(compactor);
  await expect(compactor.prepareRequest({ messages: due })).rejects.toBe(mistake);
  expect(events[0]?.[0]).toBe("compaction_start");
  expect(events.at(-1)).toMatchObject(["compaction_end", { outcome: "failed", cause: mistake }]);
  expect(await store.list("c")).toEqual([]);
  const small = conversation(2);
  expect(sent(await compactor.prepareRequest({ messages: small })).messages).toEqual(small);
});

test("a listener that was taken off hears nothing, and neither does any after the end", async () => {
  const { compactor } = setup(() => good);
  const heard: string[] = [];
  const off = compactor.on("compaction_end", () => heard.push("first"));
  compactor.on("compaction_end", () => heard.push("second"));
  off();
  await compactor.prepareRequest({ messages: due });
  expect(heard).toEqual(["second"]);
  compactor.dispose();
  await expect(compactor.prepareRequest({ messages: due })).rejects.toMatchObject({ code: "disposed" });
});

test.each([
  [
    "throws",
    (): void => {
      throw mistakeOfAListener;
    },
  ],
  ["rejects", () => Promise.reject(mistakeOfAListener)],
])(
  "a listener that %s harms no request, no other listener and no process: its error is on the console",
  async (_, listener) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const { compactor } = setup(() => good);
    const heard: string[] = [];
    compactor.on("compaction_end", listener);
    compactor.on("compaction_end", ({ outcome }) => heard.push(outcome));
    expect(sent(await compactor.prepareRequest({ messages: due })).compaction).toMatchObject({ outcome: "summary" });
    expect(heard).toEqual(["summary"]);
    expect(printed.mock.calls).toEqual([["a listener of compaction_end failed:", mistakeOfAListener]]);
  },
);

const provider: [string, (word: string) => SummaryAnswer][] = [
  ["throws an error of its own", (word) => raise(new TypeError(word))],
  ["throws a text", (word) => raise(word)],
  ["is down", (word) => raise(new SummaryModelError("transport", { status: 503, cause: new Error(word) }))],
  ["refuses the request", (word) => raise(new SummaryModelError("rejected", { status: 400, cause: new Error(word) }))],
  ["filters the content", (word) => raise(new SummaryModelError("filtered", { cause: new Error(word) }))],
  ["says it is too long", (word) => raise(new SummaryModelError("overflow", { cause: new Error(word) }))],
  ["answers with its error", (word) => ({ text: `Error: ${word}`, stopReason: "stop" })],
  ["is cut off", (word) => ({ text: `${good.text}\n${word}`, stopReason: "length" })],
  ["refuses to answer", (word) => ({ text: word, stopReason: "refusal" })],
  ["calls a tool", (word) => ({ text: word, stopReason: "tool" })],
];

function raise(error: unknown): never {
  throw error;
}

test.each(provider)(
  "a model that %s: none of its words is told, stored or sent, or said by an error",
  async (_, answer) => {
    const word = randomUUID();
    const complete: Complete = () => answer(word);
    const { compactor, store, make } = setup(complete);
    const events = record(compactor);
    const request = sent(await compactor.prepareRequest({ messages: due }));
    expect(request.compaction).toMatchObject({ outcome: "fallback" });
    const manual = make({ conversationId: "by hand" });
    events.push(...record(manual));
    const error = await manual.compact({ messages: conversation(5, "u9 a9") }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "CompactionError" });
    const { message, stack } = error as CompactionError;
    const everything = [events, request, message, stack, await store.list("c"), await store.list("by hand")];
    // Enumerable fields are what JSON, a copy and a console show.
    expect(inspect(everything, { depth: Number.POSITIVE_INFINITY, maxStringLength: null })).not.toContain(word);
  },
);

const mistakes: [string, Complete, unknown][] = [
  ["throws a mistake of its own", () => raise(mistakeOfAModel), mistakeOfAModel],
  ["throws a text", () => raise("no key"), "no key"],
  [
    "refuses the key",
    () => raise(new SummaryModelError("rejected", { status: 401, cause: new Error("sk-1") })),
    new SummaryModelError("rejected", { status: 401 }),
  ],
  [
    "answers with a stop reason of its provider",
    () => ({ ...good, stopReason: "end_turn" as "stop" }),
    new TypeError(
      'summaryModel.complete must answer with a stopReason of stop, length, tool, refusal, other, got "end_turn"',
    ),
  ],
  [
    "answers nothing",
    () => undefined as unknown as SummaryAnswer,
    new TypeError("summaryModel.complete must answer with an object that has a text"),
  ],
];

test.each(mistakes)(
  "a model that %s: the host learns it from the cause, which JSON leaves out",
  async (_, complete, cause) => {
    const { compactor, make } = setup(complete);
    const events = record(compactor);
    const { compaction } = sent(await compactor.prepareRequest({ messages: due }));
    expect(compaction).toMatchObject({ outcome: "fallback", failureReason: "summary_provider" });
    expect(compaction?.cause).toEqual(cause);
    expect(events.at(-1)).toEqual(["compaction_end", compaction]);
    expect(JSON.parse(JSON.stringify(compaction))).not.toHaveProperty("cause");
    const byHand = make({ conversationId: "by hand" }).compact({ messages: conversation(5, "u9 a9") });
    await expect(byHand).rejects.toMatchObject({ code: "summary_provider", cause });
  },
);

test("a model that fails first and then answers leaves no cause", async () => {
  const answers: Complete[] = [failing, () => good, () => good];
  const { compactor } = setup((...call) => (answers.shift() ?? failing)(...call));
  const { compaction } = sent(await compactor.prepareRequest({ messages: due }));
  expect(compaction).toMatchObject({ outcome: "summary" });
  expect(compaction?.cause).toBeUndefined();
});

test("a model that ran into its deadline and throws because of it leaves no cause: that was nobody's mistake", async () => {
  const silent: Complete = (_, signal) =>
    new Promise((__, reject) => signal.addEventListener("abort", () => reject(new Error("stopped listening"))));
  const { compactor, asked } = setup(silent);
  const { compaction } = sent(await compactor.prepareRequest({ messages: due }));
  expect(compaction).toMatchObject({ outcome: "fallback", failureReason: "summary_provider" });
  expect(asked).toHaveLength(2);
  expect(compaction?.cause).toBeUndefined();
});

import { RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createVirtualClock, type SummaryAnswer, SummaryModelError } from "@holdfast/chunked-summarizer";
import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { createCompactor } from "./compactor.ts";
import type { PreparedRequest } from "./compactor-options.ts";

const counter = {
  countText: (text: string) => Math.ceil(text.length / 4),
  countMessage: (message: Message) => Math.ceil(JSON.stringify(message.content).length / 4) + 4,
};
const sections = (goal: string) => `## Goal\n${goal}\n\n## Progress\nx\n\n## Next steps\nx`;

function refuse(): never {
  throw new SummaryModelError("rejected", { status: 400 });
}

function setup(answer: (asked: number) => SummaryAnswer, contextWindow: number, summaryWindow = contextWindow) {
  const prompts: string[] = [];
  const compactor = createCompactor({
    model: { contextWindow, maxOutputTokens: 4000 },
    summaryModel: {
      contextWindow: summaryWindow,
      maxOutputTokens: 1024,
      complete: async ({ prompt }) => {
        const given = answer(prompts.length);
        prompts.push(prompt);
        return given;
      },
    },
    counter,
    store: createMemoryStore(),
    conversationId: "coverage",
    clock: createVirtualClock(),
  });
  return { compactor, prompts };
}

/** Finished turns of about 1,000 tokens; each message names itself in its text. */
function turns(from: number, count: number): Message[] {
  return Array.from({ length: count }, (_, offset): Message[] => {
    const text = (id: string) => `<${id}> `.padEnd(2000, "words ");
    const [prompt, reply] = [`u${from + offset}`, `a${from + offset}`];
    return [
      { id: prompt, role: "user", content: text(prompt) },
      { id: reply, role: "assistant", content: [{ type: "text", text: text(reply) }], stopReason: "stop" },
    ];
  }).flat();
}

function compactionOf(request: PreparedRequest) {
  if (request.kind !== "send" || request.compaction === undefined) throw new Error(`no compaction: ${request.kind}`);
  return request.compaction;
}

test("a chain that breaks while it heals claims only what its answered requests contained", async () => {
  let failing = true;
  const { compactor, prompts } = setup(
    (asked) => (failing || asked >= 3 ? refuse() : { text: sections("healed"), stopReason: "stop" }),
    200_000,
    10_000,
  );
  const old = turns(0, 170);
  const prompt = (id: string): Message => ({ id, role: "user", content: "go on" });
  await compactor.prepareRequest({ messages: [...old, prompt("p")] });
  failing = false;
  const messages = [...old, prompt("p"), ...turns(1000, 1).slice(1), ...turns(170, 70), prompt("q")];
  const { uncovered } = compactionOf(await compactor.prepareRequest({ messages, overheadTokens: 75_000 }));
  const asked = prompts.join("\n");
  const position = (id: string | undefined) => messages.findIndex((message) => message.id === id);
  const isListed = (index: number) =>
    uncovered.some(({ from, through }) => index >= position(from) && index <= position(through));
  const unread = messages.filter(
    ({ id }, index) =>
      /^[ua]\d/.test(id) && index < messages.length - 1 && !asked.includes(`<${id}>`) && !isListed(index),
  );
  expect(prompts).toHaveLength(3);
  expect(unread.map(({ id }) => id)).toEqual([]);
});

test("a success, three failures in a row, then a success: notices never nest and the gap is read", async () => {
  let goal: string | undefined = "the first";
  const { compactor, prompts } = setup(
    () => (goal === undefined ? refuse() : { text: sections(goal), stopReason: "stop" }),
    32_000,
  );
  const messages: Message[] = [];
  const next = async (round: number) => {
    messages.push(...turns(round * 100, 24));
    const request = await compactor.prepareRequest({
      messages: [...messages, { id: `p${round}`, role: "user", content: "go on" }],
    });
    const compaction = compactionOf(request);
    const { summary } = compaction.checkpoint ?? {};
    expect((summary ?? "").split(RECOVERY_NOTICE_START).length - 1).toBe(compaction.outcome === "fallback" ? 1 : 0);
    return compaction;
  };
  expect(await next(0)).toMatchObject({ outcome: "summary", generation: 1 });
  goal = undefined;
  for (const round of [1, 2, 3]) {
    const failed = await next(round);
    expect(failed).toMatchObject({ outcome: "fallback", generation: round + 1, failureReason: "summary_provider" });
    expect(failed.checkpoint?.summary).toContain("the first");
    expect(failed.uncovered).toEqual([{ from: "u100", through: `a${round * 100 + 23}` }]);
  }
  goal = "the second";
  const before = prompts.length;
  expect(await next(4)).toMatchObject({ outcome: "summary", generation: 5, uncovered: [] });
  const read = prompts.slice(before).join("\n");
  expect(read).toContain("the first");
  for (const id of ["u100", "a123", "u200", "u323", "a423"]) expect(read).toContain(`<${id}>`);
});

test("the text of an oversized summary is carried, and its range stays unread", async () => {
  const text = `${sections("too long to keep")}\n${"one more line\n".repeat(8000)}`;
  const { compactor } = setup(() => ({ text, stopReason: "stop" }), 32_000);
  const request = await compactor.prepareRequest({
    messages: [...turns(0, 24), { id: "p", role: "user", content: "go on" }],
  });
  const compaction = compactionOf(request);
  expect(compaction).toMatchObject({ outcome: "fallback", failureReason: "checkpoint_oversized" });
  expect(compaction.checkpoint?.summary).toContain("too long to keep");
  expect(compaction.checkpoint?.details.carriedSummary).toContain("one more line");
  expect(compaction.uncovered).toEqual([{ from: "u0", through: "a23" }]);
});

test("a long note in the system's role before the prompt is counted as what stays", async () => {
  const { compactor } = setup(refuse, 16_000);
  const note: Message = { id: "s1", role: "system", content: "rules ".repeat(3000) };
  const messages = [...turns(0, 12), note, { id: "p", role: "user", content: "go on" } as const];
  const request = await compactor.prepareRequest({ messages });
  if (request.kind !== "send") throw new Error(`the request was ${request.kind}`);
  expect(request.compaction).toMatchObject({ outcome: "fallback", failureReason: "summary_provider" });
  expect(request.messages.slice(-2).map(({ id }) => id)).toEqual(["s1", "p"]);
});

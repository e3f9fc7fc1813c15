import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createVirtualClock, type SummaryAnswer, SummaryModelError } from "@holdfast/chunked-summarizer";
import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { type Compactor, createCompactor } from "./compactor.ts";

const counter = {
  countText: (text: string) => Math.ceil(text.length / 4),
  countMessage: (message: Message) => Math.ceil(JSON.stringify(message.content).length / 4) + 4,
};
const sections = "## Goal\nx\n\n## Progress\nx\n\n## Next steps\nx";
const behaviours: [string, () => SummaryAnswer][] = [
  [
    "always fails",
    () => {
      throw new SummaryModelError("transport", { status: 503 });
    },
  ],
  ["writes more than it read", () => ({ text: `${sections}\n${"long ".repeat(150_000)}`, stopReason: "stop" })],
  ["is always cut off", () => ({ text: sections, stopReason: "length" })],
];

function setup(answer: () => SummaryAnswer, contextWindow: number, maxOutputTokens: number) {
  let attempts = 0;
  const store = createMemoryStore();
  /** A process of its own on the same conversation. */
  const make = () => {
    const compactor = createCompactor({
      model: { contextWindow, maxOutputTokens },
      summaryModel: { contextWindow, maxOutputTokens, complete: async () => answer() },
      counter,
      store,
      conversationId: "loop",
      clock: createVirtualClock(),
    });
    compactor.on("compaction_start", ({ plan }) => {
      if (plan.kind === "ask_model") attempts += 1;
    });
    return compactor;
  };
  return { compactor: make(), make, attempts: () => attempts };
}

/** One turn of about 1,000 tokens: a prompt and its answer. */
function turn(number: number): Message[] {
  const text = `${number} `.padEnd(1980, "words ");
  return [
    { id: `u${number}`, role: "user", content: text },
    { id: `a${number}`, role: "assistant", content: [{ type: "text", text }], stopReason: "stop" },
  ];
}

test.each(behaviours)(
  "200 turns beside a large overhead with a model that %s: few attempts, every request goes out",
  async (_, answer) => {
    for (const restarts of [false, true]) {
      const { compactor, make, attempts } = setup(answer, 128_000, 16_384);
      const { hardLimit, trigger } = compactor.budgets;
      const overheadTokens = Math.floor(0.95 * trigger);
      const messages: Message[] = [];
      let sent = 0;
      for (let number = 0; number < 200; number += 1) {
        const [prompt, reply] = turn(number);
        if (prompt === undefined || reply === undefined) throw new Error("a turn is two messages");
        messages.push(prompt);
        const inProcess = restarts ? make() : compactor;
        const request = await inProcess.prepareRequest({ messages: [...messages], overheadTokens });
        if (request.kind === "send") {
          sent += 1;
          expect(request.tokens).toBeLessThan(hardLimit);
          expect(request.messages.at(-1)?.id).toBe(prompt.id);
        }
        messages.push(reply);
      }
      const added = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
      expect(added).toBeGreaterThan(190_000);
      expect(sent).toBe(200);
      expect(attempts()).toBeGreaterThan(0);
      expect(attempts()).toBeLessThanOrEqual(4 + added / (hardLimit / 4));
    }
  },
);

const routes: [string, (compactor: Compactor, messages: Message[], overheadTokens: number) => Promise<unknown>][] = [
  [
    "before the prompt",
    (compactor, messages, overheadTokens) => compactor.prepareRequest({ messages, overheadTokens }),
  ],
  [
    "as often as the model asks for it",
    (compactor, messages, overheadTokens) => {
      compactor.requestNewContext();
      return compactor.prepareRequest({ messages, overheadTokens });
    },
  ],
  [
    "at the end of a turn",
    (compactor, messages, overheadTokens) => compactor.endTurn({ messages: messages.slice(0, -1), overheadTokens }),
  ],
  [
    "by hand",
    (compactor, messages, overheadTokens) =>
      compactor.compact({ messages: messages.slice(0, -1), overheadTokens }).catch(() => undefined),
  ],
];

const failing = behaviours[0]?.[1];
const useless = () => ({ text: sections, stopReason: "stop" as const });

// A failing model is waited for longer and longer; one that frees next to nothing gets a turn again when a twentieth of
// the limit was added.
test.each(routes)("FB-04 attempts are bounded on the route %s", async (_, route) => {
  for (const [answer, share] of [
    [failing, 4],
    [useless, 20],
  ] as const) {
    if (answer === undefined) throw new Error("no failing model");
    const { compactor, attempts } = setup(answer, 100_000, 8000);
    const messages: Message[] = turn(1000);
    for (let number = 0; number < 20; number += 1) {
      const [prompt, reply] = turn(number);
      if (prompt === undefined || reply === undefined) throw new Error("a turn is two messages");
      await route(compactor, [...messages, prompt], 74_000);
      const request = await compactor.prepareRequest({ messages: [...messages, prompt], overheadTokens: 74_000 });
      expect(request.kind).toBe("send");
      messages.push(prompt, reply);
    }
    expect(attempts()).toBeGreaterThan(0);
    expect(attempts()).toBeLessThanOrEqual(4 + 20_000 / (compactor.budgets.hardLimit / share));
  }
});

test("from a million tokens to 32,000 in mid-conversation: the next request fits the new model", async () => {
  const { compactor } = setup(() => ({ text: sections, stopReason: "stop" }), 1_000_000, 32_000);
  const messages = Array.from({ length: 300 }, (_, number) => turn(number)).flat();
  const prompt: Message = { id: "next", role: "user", content: "Go on." };
  expect((await compactor.prepareRequest({ messages: [...messages, prompt] })).kind).toBe("send");
  compactor.setModel({ contextWindow: 32_000, maxOutputTokens: 4000 });
  const request = await compactor.prepareRequest({ messages: [...messages, prompt] });
  if (request.kind !== "send") throw new Error(`the request was ${request.kind}`);
  expect(request.limit).toBe(24_000);
  expect(request.tokens).toBeLessThan(24_000);
  expect(request.messages.at(-1)?.id).toBe("next");
});

// What rendering and planning a summary of about 1 M tokens costs, as a multiple of counting the same text once: at most
// 1.3 where one request holds it, 2.3 where it is chunked. Reads the built packages. Exits with 1 when a bar is not held.
import { planSummary } from "@holdfast/chunked-summarizer";
import { renderTranscript } from "@holdfast/message-schema";
import { createTokenCounter } from "@holdfast/token-counter";

const ROUNDS = 9;

/** @typedef {import("@holdfast/message-schema").Message} Message */

const prose =
  "The parser reads every line of this file and keeps what it can use, because a later test needs one more value from it. ";
const code =
  "export function readLine(line: string, at = 0): Token | undefined {\n  const end = line.indexOf(',', at);\n" +
  "  if (end < 0) return undefined;\n  return { kind: 'value', text: line.slice(at, end), end: end + 1 };\n}\n";
const log = "2026-11-30T10:15:02.113Z INFO build[4312] packages/parser: 212 files, 1,204 tests passed in 3.41s\n";
const chinese = "我们把解析器改好了，下一步写测试，然后更新文档。";

/** Turns as agents leave them: a request, a call with code in its arguments, a long result, an answer. */
function conversation(turns) {
  return Array.from({ length: turns }, (_, turn) => {
    const id = `t${turn}`;
    /** @type {Message[]} */
    const messages = [
      { id: `${id}u`, role: "user", content: `${turn}: ${(turn % 5 === 0 ? chinese : prose).repeat(6)}` },
      {
        id: `${id}c`,
        role: "assistant",
        content: [
          { type: "thinking", thinking: prose.repeat(4) },
          { type: "toolCall", id, name: "write", arguments: { path: `src/file-${turn}.ts`, content: code.repeat(6) } },
        ],
        stopReason: "toolUse",
      },
      {
        id: `${id}r`,
        role: "toolResult",
        toolCallId: id,
        toolName: "write",
        content: [{ type: "text", text: `${turn} ${log.repeat(40)}` }],
        isError: false,
      },
      { id: `${id}a`, role: "assistant", content: [{ type: "text", text: prose.repeat(5) }], stopReason: "stop" },
    ];
    return messages;
  }).flat();
}

/** @param {() => void} task */
function milliseconds(task) {
  const started = process.hrtime.bigint();
  task();
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const counter = await createTokenCounter();
const messages = conversation(540);
const text = renderTranscript(messages, { resultMaxCharacters: 2000, includeThinking: true });
console.log(
  `Node ${process.version}: ${messages.length} messages, ${text.length} characters, ${counter.countText(text)} tokens`,
);

let held = true;
for (const [name, contextWindow, bar] of /** @type {const} */ ([
  ["one request", 1_400_000, 1.3],
  ["chunked", 128_000, 2.3],
])) {
  const model = { contextWindow, maxOutputTokens: 16_384 };
  const counting = [];
  const planning = [];
  let plan;
  for (let round = 0; round < ROUNDS; round++) {
    counting.push(milliseconds(() => counter.countText(text)));
    planning.push(
      milliseconds(() => {
        plan = planSummary(messages, { model, counter });
      }),
    );
  }
  const ratio = median(planning) / median(counting);
  held &&= ratio <= bar;
  const links = plan?.ok ? plan.links.length : plan?.reason;
  console.log(
    `${name.padEnd(12)} links ${links}  counting ${median(counting).toFixed(0)} ms  planning ${median(planning).toFixed(0)} ms  ` +
      `ratio ${ratio.toFixed(2)} (at most ${bar})`,
  );
}
counter.dispose();
process.exitCode = held ? 0 : 1;

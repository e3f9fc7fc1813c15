import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ModelMessage } from "ai";
import fc from "fast-check";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as anthropic } from "../anthropic.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { findPairingProblems } from "./find-pairing-problems.ts";
import type { MessageShape } from "./message-shape.ts";
import { selectTailWindow } from "./select-tail-window.ts";

const numRuns = 100 * Number(process.env.HOLDFAST_RUNS ?? 1);

interface Call {
  readonly argument: string;
  readonly result: string;
}

/** Texts that are denser at their ends, in their middle or nowhere, so that a length says little about the tokens. */
const text = fc
  .record({ length: fc.nat(3_000), dense: fc.nat(200), at: fc.constantFrom("ends", "middle", "nowhere") })
  .map(({ length, dense, at }) => {
    const thick = "漢".repeat(at === "nowhere" ? 0 : dense);
    const thin = "x".repeat(length / 2);
    return at === "ends" ? `${thick}${thin}${thin}${thick}` : `${thin}${thick}${thin}`;
  });

const exchange = fc.record({
  reasoning: fc.oneof(fc.constant(""), text),
  said: text,
  calls: fc.array(fc.record({ argument: text, result: text }), { minLength: 1, maxLength: 60, size: "max" }),
});

describe("an exchange of any width", () => {
  const countTokens = (message: unknown): number => {
    const json = JSON.stringify(message);
    return Math.ceil([...json].reduce((sum, character) => sum + (character > "\u2e7f" ? 1 : 0.25), 0));
  };

  function check<M extends object>(
    shape: MessageShape<M>,
    write: (asked: { reasoning: string; said: string; calls: readonly Call[] }) => M[],
  ) {
    fc.assert(
      fc.property(exchange, fc.integer({ min: 64, max: 4_000 }), (asked, budgetTokens) => {
        const messages = write(asked);
        const counted = new Map<number, number>();
        // Results and calls carry their place in ids, so that every form of a message says which one it is of.
        const placeOf = (message: M) =>
          messages.findIndex((original) => original === message || isFormOf(message, original));
        const isFormOf = (form: M, original: M) =>
          shape.role(form) === shape.role(original) &&
          [...shape.toolResultIds(form), ...shape.toolCallIds(form)].every((id) =>
            [...shape.toolResultIds(original), ...shape.toolCallIds(original)].includes(id),
          );
        const window = selectTailWindow(messages, {
          budgetTokens,
          countTokens: (message) => {
            const place = placeOf(message);
            counted.set(place, (counted.get(place) ?? 0) + 1);
            return countTokens(message);
          },
          shape,
        });
        expect(Math.max(...counted.values())).toBeLessThanOrEqual(9);
        expect(window.tokens).toBeLessThanOrEqual(budgetTokens);
        expect(findPairingProblems(window.messages, shape)).toEqual([]);
      }),
      { numRuns },
    );
  }

  it("of Chat Completions counts none of its messages more than nine times", () => {
    check<ChatCompletionMessageParam>(openAi, ({ reasoning, said, calls }) => [
      {
        role: "assistant",
        content: said,
        ...(reasoning && { reasoning_content: reasoning }),
        tool_calls: calls.map(({ argument }, at) => ({
          id: `c${at}`,
          type: "function",
          function: { name: "f", arguments: JSON.stringify({ argument }) },
        })),
      },
      ...calls.map(({ result }, at) => ({ role: "tool", tool_call_id: `c${at}`, content: result }) as const),
    ]);
  });

  it("of Anthropic, with all results in one message, too", () => {
    check<MessageParam>(anthropic, ({ reasoning, said, calls }) => [
      {
        role: "assistant",
        content: [
          ...(reasoning ? [{ type: "thinking" as const, thinking: reasoning, signature: "s" }] : []),
          { type: "text", text: said },
          ...calls.map(({ argument }, at) => ({
            type: "tool_use" as const,
            id: `c${at}`,
            name: "f",
            input: { argument },
          })),
        ],
      },
      {
        role: "user",
        content: calls.map(({ result }, at) => ({ type: "tool_result", tool_use_id: `c${at}`, content: result })),
      },
    ]);
  });

  it("of the AI SDK, with pictures, too", () => {
    check<ModelMessage>(aiSdk, ({ reasoning, said, calls }) => [
      {
        role: "assistant",
        content: [
          ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
          { type: "text", text: said },
          { type: "file", data: said, mediaType: "image/png" },
          ...calls.map(({ argument }, at) => ({
            type: "tool-call" as const,
            toolCallId: `c${at}`,
            toolName: "f",
            input: { argument },
          })),
        ],
      },
      {
        role: "tool",
        content: calls.map(({ result }, at) => ({
          type: "tool-result",
          toolCallId: `c${at}`,
          toolName: "f",
          output: { type: "text", value: result },
        })),
      },
    ]);
  });

  it("of Responses, where each call is an item, too", () => {
    check<ResponseInputItem>(openAiResponses, ({ calls }) => [
      ...calls.map(
        ({ argument }, at) =>
          ({ type: "function_call", call_id: `c${at}`, name: "f", arguments: JSON.stringify({ argument }) }) as const,
      ),
      ...calls.map(({ result }, at) => ({ type: "function_call_output", call_id: `c${at}`, output: result }) as const),
    ]);
  });
});

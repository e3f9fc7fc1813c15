// Each rival prepares its own input once and then selects: only the selecting is timed. `kept` says, in the one
// common message type, what a model would be sent.
import { findCutPoint } from "@earendil-works/pi-coding-agent";
import { selectTailWindow } from "@holdfast/tail-window";
import { shape } from "@holdfast/tail-window/langchain";
import { trimMessages } from "@langchain/core/messages";
import { pruneMessages } from "ai";
import { ClearToolUsesEdit } from "langchain";
import { countTokens, fromModelMessages, toModelMessages, toPiEntries } from "./conversation.mjs";

/** @import { BaseMessage } from "@langchain/core/messages" */
/** @import { ModelMessage } from "ai" */
/**
 * @typedef {{
 *   readonly name: string,
 *   readonly largest: number,
 *   prepare(messages: readonly BaseMessage[], budgetTokens: number): () => unknown,
 *   read?(kept: unknown, messages: readonly BaseMessage[]): readonly BaseMessage[],
 * }} Rival
 */

/** @param {readonly BaseMessage[]} messages */
const countAll = (messages) => messages.reduce((sum, message) => sum + countTokens(message), 0);

/** @type {readonly Rival[]} */
export const rivals = [
  {
    name: "holdfast selectTailWindow",
    largest: Infinity,
    prepare: (messages, budgetTokens) => () =>
      selectTailWindow(messages, { budgetTokens, countTokens, shape }).messages,
  },
  {
    name: "holdfast, with the anchor",
    largest: Infinity,
    prepare: (messages, budgetTokens) => () =>
      selectTailWindow(messages, { budgetTokens, countTokens, shape, anchor: "latest-request" }).messages,
  },
  {
    name: "@langchain/core trimMessages",
    largest: 4_000,
    prepare: (messages, budgetTokens) => () =>
      trimMessages([...messages], { maxTokens: budgetTokens, strategy: "last", tokenCounter: countAll }),
  },
  {
    name: "langchain ClearToolUsesEdit",
    largest: 4_000,
    prepare: (messages, budgetTokens) => async () => {
      const edited = [...messages];
      const edit = new ClearToolUsesEdit({ trigger: { tokens: budgetTokens }, keep: { messages: 3 } });
      await edit.apply({ messages: edited, countTokens: countAll, model: /** @type {never} */ ({ profile: {} }) });
      return edited;
    },
  },
  {
    name: "pi-coding-agent findCutPoint",
    largest: Infinity,
    prepare(messages, budgetTokens) {
      const entries = /** @type {never} */ (toPiEntries(messages));
      return () => messages.slice(findCutPoint(entries, 0, messages.length, budgetTokens).firstKeptEntryIndex);
    },
  },
  {
    name: "ai pruneMessages (last 100)",
    largest: Infinity,
    prepare(messages) {
      const modelMessages = toModelMessages(messages);
      return () => pruneMessages({ messages: modelMessages, toolCalls: "before-last-100-messages" });
    },
    read: (kept, messages) => fromModelMessages(/** @type {ModelMessage[]} */ (kept), messages),
  },
];

// One conversation of an agent in the message types of each rival. Deterministic: the same for every run and rival.
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";

/** @import { BaseMessage } from "@langchain/core/messages" */
/** @import { ModelMessage } from "ai" */

const words = "the parser reads a line and the printer writes it back with one more test for the empty case ".repeat(
  40,
);

/** @param {number} n */
const text = (n) => words.slice(0, 80 + ((n * 7919) % 1_700));

/** Characters / 4, for every rival. @param {BaseMessage} message */
export function countTokens(message) {
  const calls = message instanceof AIMessage ? (message.tool_calls ?? []) : [];
  const characters = calls.reduce((sum, { args }) => sum + String(args.path).length, String(message.content).length);
  return Math.ceil(characters / 4);
}

/**
 * A request, then work: calls, now and then two at once, with their results, and an answer.
 *
 * @param {number} length
 * @returns {BaseMessage[]}
 */
export function createConversation(length) {
  /** @type {BaseMessage[]} */
  const messages = [];
  for (let n = 0; messages.length + 5 <= length; n++) {
    if (n % 12 === 0) messages.push(new HumanMessage(text(n)));
    const ids = n % 3 === 0 ? [`a${n}`, `b${n}`] : [`a${n}`];
    messages.push(
      new AIMessage({ content: "", tool_calls: ids.map((id) => ({ id, name: "read", args: { path: text(n) } })) }),
    );
    ids.forEach((id, at) => {
      messages.push(new ToolMessage({ tool_call_id: id, content: text(n + at + 1) }));
    });
    if (n % 12 === 11) messages.push(new AIMessage(text(n)));
  }
  while (messages.length < length) messages.push(new AIMessage("Done."));
  return messages;
}

/** Each carries its index, which survives what is done to it. @param {readonly BaseMessage[]} messages @returns {ModelMessage[]} */
export function toModelMessages(messages) {
  return messages.map((message, index) => {
    const content = String(message.content);
    if (message instanceof ToolMessage) {
      const output = { type: /** @type {const} */ ("text"), value: content };
      const result = {
        type: /** @type {const} */ ("tool-result"),
        toolCallId: message.tool_call_id,
        toolName: "read",
        output,
      };
      return { role: "tool", content: [result], index };
    }
    if (!(message instanceof AIMessage)) return { role: "user", content, index };
    const calls = (message.tool_calls ?? []).map(({ id = "", name, args }) => ({
      type: /** @type {const} */ ("tool-call"),
      toolCallId: id,
      toolName: name,
      input: args,
    }));
    return { role: "assistant", content: content ? [{ type: "text", text: content }, ...calls] : calls, index };
  });
}

/** What is left of the messages, in the type that is judged. @param {readonly ModelMessage[]} kept @param {readonly BaseMessage[]} messages */
export function fromModelMessages(kept, messages) {
  return kept.flatMap((message) => {
    const original = messages[/** @type {{ index?: number }} */ (message).index ?? -1];
    if (!(original instanceof AIMessage) || typeof message.content === "string") return original ?? [];
    const ids = message.content.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : []));
    const calls = (original.tool_calls ?? []).filter(({ id = "" }) => ids.includes(id));
    return new AIMessage({ ...(original.id && { id: original.id }), content: original.content, tool_calls: calls });
  });
}

/** pi's own entries. @param {readonly BaseMessage[]} messages */
export function toPiEntries(messages) {
  return messages.map((message, index) => {
    const texts = message.content ? [{ type: "text", text: String(message.content) }] : [];
    const entry = { type: "message", id: String(index), parentId: null, timestamp: "2026-01-01T00:00:00Z" };
    if (message instanceof ToolMessage) {
      return {
        ...entry,
        message: {
          role: "toolResult",
          toolCallId: message.tool_call_id,
          toolName: "read",
          content: texts,
          isError: false,
        },
      };
    }
    if (!(message instanceof AIMessage)) return { ...entry, message: { role: "user", content: texts } };
    const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
      type: "toolCall",
      id,
      name,
      arguments: args,
    }));
    return { ...entry, message: { role: "assistant", content: [...texts, ...calls], stopReason: "stop" } };
  });
}

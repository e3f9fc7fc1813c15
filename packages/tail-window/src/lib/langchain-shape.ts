import { isBlank, noOutput } from "./blank.ts";
import { editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

interface Block {
  readonly type: string;
  readonly text?: unknown;
  readonly id?: unknown;
}

interface ToolCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
}

/** What the shape reads of a message of LangChain. A changed message is a copy of the same class. */
export interface LangChainMessage {
  _getType(): string;
  readonly content: unknown;
  readonly additional_kwargs?: object;
}

/** The fields of some of the classes only. */
interface SomeFields extends LangChainMessage {
  readonly role?: string;
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly invalid_tool_calls?: readonly ToolCall[];
  readonly tool_call_chunks?: readonly unknown[];
  readonly lc_kwargs?: object;
}

const roles: Readonly<Record<string, MessageRole>> = {
  human: "user",
  ai: "assistant",
  function: "tool",
  developer: "system",
};
const reasoningTypes = ["thinking", "redacted_thinking", "reasoning"];
const reasoningKwargs = ["reasoning_content", "reasoning"];
const callTypes = ["tool_use", "tool_call", "functionCall"];

const blocksOf = ({ content }: LangChainMessage): readonly Block[] => (Array.isArray(content) ? content : []);
const isBlankText = ({ type, text }: Block): boolean => type === "text" && isBlank(text);
const isReasoning = ({ type }: Block): boolean => reasoningTypes.includes(type);
const pairId = ({ id, name }: ToolCall): string => id ?? name ?? "";
const callsOf = ({ tool_calls: calls = [], invalid_tool_calls: invalid = [] }: SomeFields): readonly ToolCall[] => [
  ...calls,
  ...invalid,
];

/** A copy of the same class with these fields; the message itself when it has them already. */
function copyWith<M extends LangChainMessage>(message: M, fields: Partial<SomeFields>): M {
  if (withFields(message, fields) === message) return message;
  const { lc_kwargs: serialized }: SomeFields = message;
  const copy: M = Object.create(Object.getPrototypeOf(message), Object.getOwnPropertyDescriptors(message));
  for (const [key, value] of Object.entries({ ...fields, lc_kwargs: { ...serialized, ...fields } })) {
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/** What changes when these are the calls that are left: what repeats them elsewhere in the message follows, or goes. */
function fieldsWithCalls(message: SomeFields, kept: readonly ToolCall[]): Partial<SomeFields> {
  const { content, invalid_tool_calls: invalid = [], additional_kwargs: kwargs = {} } = message;
  const followed = blocksOf(message).flatMap((block) => {
    if (!callTypes.includes(block.type)) return block;
    const call = kept.find(({ id }) => id === block.id);
    return call ? withFields(block, { [block.type === "tool_use" ? "input" : "args"]: call.args }) : [];
  });
  return {
    content: Array.isArray(content) ? followed : content,
    tool_calls: kept.filter((call) => !invalid.includes(call)),
    invalid_tool_calls: invalid.filter((call) => kept.includes(call)),
    additional_kwargs: withFields(kwargs, { tool_calls: undefined }),
    ...(message.tool_call_chunks && { tool_call_chunks: [] }),
  };
}

const editTexts: EditTexts<LangChainMessage> = (message, edit) => {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] }: SomeFields = message;
  const isResult = shape.role(message) === "tool";
  const editBlock = (block: Block): Block => {
    if (isReasoning(block) || callTypes.includes(block.type)) return block;
    if (block.type === "text")
      return withFields(block, { text: edit(isResult ? "result" : "text", String(block.text)) });
    const text = edit(isResult ? "resultPicture" : "picture", "");
    return text === "" ? block : { type: "text", text };
  };
  const editedCalls = calls.map((call) =>
    withFields(call, { args: editStrings(call.args, (text) => edit("argument", text)) }),
  );
  const edited = copyWith(message, {
    content:
      typeof message.content === "string"
        ? edit(isResult ? "result" : "text", message.content)
        : Array.isArray(message.content)
          ? blocksOf(message).map(editBlock)
          : message.content,
  });
  return editedCalls.every((call, at) => call === calls[at])
    ? edited
    : copyWith(edited, fieldsWithCalls(edited, [...editedCalls, ...invalid]));
};

/** Messages of LangChain: instances of its classes, which come back as instances of the same class. */
export const shape: ShapeOf<LangChainMessage> = {
  role(message) {
    const type = message._getType();
    const role = type === "generic" ? ((message as SomeFields).role ?? type) : type;
    return roles[role] ?? (role as MessageRole);
  },
  toolCallIds: (message) => callsOf(message).map(pairId),
  toolResultIds(message) {
    const { tool_call_id: callId, name }: SomeFields = message;
    return shape.role(message) === "tool" ? [callId ?? name ?? ""] : [];
  },
  isDiscarded: () => false,
  isEmpty(message) {
    if (shape.role(message) === "tool" || callsOf(message).length > 0) return false;
    return Array.isArray(message.content)
      ? blocksOf(message).every((block) => isReasoning(block) || isBlankText(block))
      : isBlank(message.content);
  },
  isRequest: (message) => shape.role(message) === "user",
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls(message, ids) {
    const calls = callsOf(message);
    const kept = withoutIds(calls, ids, pairId);
    return kept.length === calls.length ? message : copyWith(message, fieldsWithCalls(message, kept));
  },
  withoutReasoning: (message) =>
    copyWith(message, {
      content: Array.isArray(message.content)
        ? blocksOf(message).filter((block) => !isReasoning(block))
        : message.content,
      additional_kwargs:
        message.additional_kwargs &&
        withFields(message.additional_kwargs, Object.fromEntries(reasoningKwargs.map((name) => [name, undefined]))),
    }),
  withoutBlankText(message) {
    const spoken = Array.isArray(message.content)
      ? blocksOf(message).filter((block) => !isBlankText(block))
      : message.content;
    const isSilent = Array.isArray(spoken) ? spoken.length === 0 : isBlank(spoken);
    return copyWith(message, { content: isSilent && shape.role(message) === "tool" ? noOutput : spoken });
  },
};

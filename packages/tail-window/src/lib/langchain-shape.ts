import { isBlank, noOutput } from "./blank.ts";
import { editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf, wordFor } from "./parts.ts";
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
  readonly additional_kwargs?: { readonly function_call?: ToolCall };
  readonly response_metadata?: object;
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
  // An order to a store, never sent.
  remove: "user",
};
const reasoningTypes = ["thinking", "redacted_thinking", "reasoning"];
/** Reasoning that stands beside the content, and the ids of calls that would ask for it. */
const noReasoning = { reasoning_content: undefined, reasoning: undefined, __openai_function_call_ids__: undefined };
const callTypes = ["tool_use", "tool_call", "functionCall"];

const blocksOf = ({ content }: LangChainMessage): readonly Block[] => partsOf(content);
const isBlankText = ({ type, text }: Block): boolean => type === "text" && isBlank(text);
const isReasoning = ({ type }: Block): boolean => reasoningTypes.includes(type);
const only = (message: LangChainMessage, isWanted: (block: Block) => boolean): unknown =>
  Array.isArray(message.content) ? blocksOf(message).filter(isWanted) : message.content;
const pairId = ({ id, name }: ToolCall): string => id ?? name ?? "";
/** The last one is of the old kind, which has no id. */
const callsOf = (message: SomeFields): readonly ToolCall[] => {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [], additional_kwargs: kwargs } = message;
  return [...calls, ...invalid, kwargs?.function_call ?? []].flat();
};

/**
 * A copy of the same class with these fields; the message itself when it has them already. The metadata may repeat the
 * whole message as the provider put it out, and would be sent in place of it, so a changed message does without.
 */
function copyWith<M extends LangChainMessage>(message: M, changed: Partial<SomeFields>): M {
  if (withFields(message, changed) === message) return message;
  const { lc_kwargs: serialized, response_metadata: metadata }: SomeFields = message;
  const fields = { ...changed, response_metadata: { ...metadata, output: undefined } };
  // Defined, not assigned: a chunk has setters that would write into the original.
  return Object.create(Object.getPrototypeOf(message), {
    ...Object.getOwnPropertyDescriptors(message),
    ...Object.getOwnPropertyDescriptors({ ...fields, lc_kwargs: { ...serialized, ...fields } }),
  });
}

/** What changes when this is left of these calls: what repeats them elsewhere in the message follows, or goes. */
function fieldsWithCalls(message: SomeFields, left: ReadonlyMap<ToolCall, ToolCall>): Partial<SomeFields> {
  const { content, tool_calls: calls, invalid_tool_calls: invalid, additional_kwargs: kwargs = {} } = message;
  const { function_call: old } = kwargs;
  const byId = new Map<unknown, ToolCall>([...left.values()].reverse().map((call) => [call.id, call]));
  const followed = blocksOf(message).flatMap((block) => {
    if (!callTypes.includes(block.type)) return block;
    const call = byId.get(block.id);
    return call ? withFields(block, { [block.type === "tool_use" ? "input" : "args"]: call.args }) : [];
  });
  const leftOf = (some: readonly ToolCall[] = []) => some.flatMap((call) => left.get(call) ?? []);
  return {
    content: Array.isArray(content) ? followed : content,
    tool_calls: leftOf(calls),
    invalid_tool_calls: leftOf(invalid),
    additional_kwargs: withFields(kwargs, { tool_calls: undefined, function_call: old && left.get(old) }),
    ...(message.tool_call_chunks && { tool_call_chunks: [] }),
  };
}

const editTexts: EditTexts<LangChainMessage> = (message, edit) => {
  const isResult = shape.role(message) === "tool";
  const editText = (text: string) => edit(isResult ? "result" : "text", text);
  const editBlock = (block: Block): Block => {
    if (isReasoning(block) || callTypes.includes(block.type)) return block;
    if (typeof block.text === "string") return withFields(block, { text: editText(block.text) });
    const text = edit(isResult ? "resultPicture" : "picture", wordFor(block.type));
    return text === "" ? block : { type: "text", text };
  };
  const calls = callsOf(message);
  const left = new Map(
    calls.map((call) => [call, withFields(call, { args: editStrings(call.args, (text) => edit("argument", text)) })]),
  );
  const { content } = message;
  const edited = copyWith(message, {
    content:
      typeof content === "string"
        ? editText(content)
        : Array.isArray(content)
          ? blocksOf(message).map(editBlock)
          : content,
  });
  return calls.every((call) => left.get(call) === call) ? edited : copyWith(edited, fieldsWithCalls(edited, left));
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
  isDiscarded: (message) => message._getType() === "remove",
  isEmpty(message) {
    if (shape.role(message) === "tool" || callsOf(message).length > 0) return false;
    return Array.isArray(message.content)
      ? blocksOf(message).every((block) => isReasoning(block) || isBlankText(block))
      : isBlank(message.content);
  },
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls(message, ids) {
    const calls = callsOf(message);
    const kept = withoutIds(calls, ids, pairId);
    if (kept.length === calls.length) return message;
    return copyWith(message, fieldsWithCalls(message, new Map(kept.map((call) => [call, call]))));
  },
  withoutReasoning: (message) =>
    copyWith(message, {
      content: only(message, (block) => !isReasoning(block)),
      additional_kwargs: message.additional_kwargs && withFields(message.additional_kwargs, noReasoning),
    }),
  withoutBlankText(message) {
    const spoken = only(message, (block) => !isBlankText(block));
    const isSilent = Array.isArray(spoken) ? !spoken.length : isBlank(spoken);
    return copyWith(message, { content: isSilent && shape.role(message) === "tool" ? noOutput : spoken });
  },
};

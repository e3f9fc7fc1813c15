import { editContent, editField, editPart, editStrings, noOutput, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

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

const roleOf = (message: LangChainMessage): MessageRole => {
  const type = message._getType();
  const role = type === "generic" ? ((message as SomeFields).role ?? type) : type;
  return roles[role] ?? (role as MessageRole);
};

const pairId = ({ id, name }: ToolCall): string => id ?? name ?? "";
/** The last one is of the old kind, which has no id. */
const callsOf = (message: SomeFields): readonly ToolCall[] => {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [], additional_kwargs: kwargs } = message;
  return calls.concat(invalid, kwargs?.function_call ?? []);
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
  const follow = (block: Block) => {
    if (!callTypes.includes(block.type)) return block;
    const call = byId.get(block.id);
    return call && withFields(block, { [block.type === "tool_use" ? "input" : "args"]: call.args });
  };
  const leftOf = (some: readonly ToolCall[] = []) => some.flatMap((call) => left.get(call) ?? []);
  return {
    content: editContent(content, (text) => text, follow, ""),
    tool_calls: leftOf(calls),
    invalid_tool_calls: leftOf(invalid),
    additional_kwargs: withFields(kwargs, { tool_calls: undefined, function_call: old && left.get(old) }),
    ...(message.tool_call_chunks && { tool_call_chunks: [] }),
  };
}

const editPieces: EditPieces<LangChainMessage> = (message, edit, editsArguments) => {
  const { content, additional_kwargs: kwargs, tool_call_id: resultId, name = "" }: SomeFields = message;
  const isResult = roleOf(message) === "tool";
  const editText = (text: string) => edit(isResult ? "resultText" : "text", text);
  const editArgument = (text: string) => edit("argument", text) ?? "";
  const editItem = (block: Block) => {
    const { type = "file", text } = block;
    if (reasoningTypes.includes(type)) return edit("reasoning", type) && block;
    if (callTypes.includes(type)) return block;
    if (type === "text" || typeof text === "string") return editPart(block, "text", editText);
    const word = edit(isResult ? "resultPicture" : "picture", type);
    return word === type ? block : { type: "text", text: word };
  };
  const editCall = (call: ToolCall): ToolCall =>
    editsArguments ? editField(call, "args", (args) => editStrings(args, editArgument)) : call;

  if (isResult) edit("resultId", resultId ?? name);
  const calls = callsOf(message);
  const left = new Map(
    calls.filter((call) => edit("callId", pairId(call)) !== undefined).map((call) => [call, editCall(call)]),
  );
  const isBare = edit("reasoning", "reasoning") === undefined;
  const edited = copyWith(message, {
    content: editContent(content, editText, editItem, isResult ? noOutput : ""),
    ...(isBare && kwargs && { additional_kwargs: withFields(kwargs, noReasoning) }),
  });
  return calls.every((call) => left.get(call) === call) ? edited : copyWith(edited, fieldsWithCalls(edited, left));
};

/** Messages of LangChain: instances of its classes, which come back as instances of the same class. */
export const shape: ShapeOf<LangChainMessage> = {
  ...shapeOf(roleOf, editPieces),
  isDiscarded: (message) => message._getType() === "remove",
};

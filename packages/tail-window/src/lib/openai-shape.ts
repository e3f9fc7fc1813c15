import { editContent, editField, editJson, editList, editPart, noOutput, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly refusal?: string;
}

interface ToolCall {
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly custom?: { readonly name: string; readonly input: string };
}

/** What the shape reads of a Chat Completions message, also one of a compatible provider that adds reasoning fields. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly ContentPart[] | null;
  readonly tool_calls?: readonly ToolCall[] | null;
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly function_call?: { readonly name: string; readonly arguments: string } | null;
  readonly refusal?: string | null;
  readonly audio?: object | null;
}

const roleOf = ({ role }: ChatMessage): MessageRole =>
  role === "developer" ? "system" : role === "function" ? "tool" : (role as MessageRole);

/** Where compatible providers put it. */
const noReasoning = { reasoning: undefined, reasoning_content: undefined, reasoning_details: undefined };

const editPieces: EditPieces<ChatMessage> = (message, edit, editsArguments) => {
  const { content, tool_calls: calls, function_call: oldCall, refusal, audio } = message;
  const isResult = roleOf(message) === "tool";
  const editText = (text: string) => edit(isResult ? "resultText" : "text", text);
  const editArgument = (text: string) => edit("argument", text) ?? "";
  const editItem = (part: ContentPart) => {
    if (part.type === "text" || part.type === "refusal") return editPart(part, part.type, editText);
    const word = part.type ?? "file";
    const text = edit(isResult ? "resultPicture" : "picture", word);
    return text === word ? part : { type: "text", text };
  };
  const editArguments = <C extends { readonly arguments: string }>(called: C): C =>
    editsArguments ? editField(called, "arguments", (json) => editJson(json, editArgument)) : called;
  const editCall = (call: ToolCall) => {
    if (edit("callId", call.id) === undefined) return undefined;
    if (call.function) return editField(call, "function", editArguments);
    return editsArguments ? editField(call, "custom", (called) => editField(called, "input", editArgument)) : call;
  };
  const editOldCall = () => {
    if (!oldCall || calls?.length) return keptCalls === calls ? oldCall : undefined;
    return edit("callId", oldCall.name) === undefined ? undefined : editArguments(oldCall);
  };

  if (audio) edit("picture", "audio");
  if (isResult) edit("resultId", message.tool_call_id ?? message.name ?? "");
  const isBare = edit("reasoning", "reasoning") === undefined;
  const keptCalls = calls && editList(calls, editCall);
  return withFields(message, {
    ...(isBare && noReasoning),
    // "" beside calls is how many servers write "no content"; other blank text is refused by some.
    content: content || isResult ? editContent(content, editText, editItem, isResult ? noOutput : null) : content,
    refusal: refusal && edit("text", refusal),
    // An empty list of calls is refused.
    tool_calls: calls && (keptCalls?.length ? keptCalls : undefined),
    function_call: editOldCall(),
  });
};

/** Messages of OpenAI's Chat Completions API. Calls of the old `function_call` kind, which have no id, pair by name. */
export const shape: ShapeOf<ChatMessage> = shapeOf(roleOf, editPieces);

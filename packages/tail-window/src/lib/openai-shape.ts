import { isBlank, noOutput } from "./blank.ts";
import { editJson } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf, wordFor } from "./parts.ts";
import { withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

interface ContentPart {
  readonly type: string;
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

const isBlankPart = ({ type, text }: ContentPart): boolean => type === "text" && isBlank(text);

const isSilent = ({ content }: ChatMessage): boolean =>
  Array.isArray(content) ? partsOf<ContentPart>(content).every(isBlankPart) : isBlank(content);

const editTexts: EditTexts<ChatMessage> = (message, edit) => {
  const { content, tool_calls: calls, function_call: call, refusal } = message;
  const isResult = shape.role(message) === "tool";
  const editText = (text: string) => edit(isResult ? "result" : "text", text);
  const editArguments = <C extends { arguments: string }>(called: C) =>
    withFields(called, { arguments: editJson(called.arguments, (text) => edit("argument", text)) });
  return withFields(message, {
    content: Array.isArray(content)
      ? partsOf<ContentPart>(content).map((part) => {
          if (part.type === "text") return withFields(part, { text: editText(part.text ?? "") });
          if (typeof part.refusal === "string") return withFields(part, { refusal: editText(part.refusal) });
          const text = edit(isResult ? "resultPicture" : "picture", wordFor(part.type));
          return text ? { type: "text", text } : part;
        })
      : typeof content === "string"
        ? editText(content)
        : content,
    tool_calls: calls?.map((call) =>
      call.function
        ? withFields(call, { function: editArguments(call.function) })
        : withFields(call, {
            custom: call.custom && withFields(call.custom, { input: edit("argument", call.custom.input) }),
          }),
    ),
    function_call: call && editArguments(call),
    refusal: refusal && edit("text", refusal),
  });
};

/** Messages of OpenAI's Chat Completions API. Calls of the old `function_call` kind, which have no id, pair by name. */
export const shape: ShapeOf<ChatMessage> = {
  role: ({ role }) => (role === "developer" ? "system" : role === "function" ? "tool" : (role as MessageRole)),
  toolCallIds: ({ tool_calls: calls, function_call: call }) =>
    calls?.length ? calls.map(({ id }) => id) : call ? [call.name] : [],
  toolResultIds: (message) => (shape.role(message) === "tool" ? [message.tool_call_id ?? message.name ?? ""] : []),
  isEmpty: (message) => !message.refusal && !message.audio && isSilent(message),
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls(message, ids) {
    const kept = withoutIds(message.tool_calls ?? [], ids, ({ id }) => id);
    // An empty list of calls is refused.
    return withFields(message, { tool_calls: kept.length > 0 ? kept : undefined, function_call: undefined });
  },
  // Where compatible providers put it.
  withoutReasoning: (message) =>
    withFields(message, { reasoning: undefined, reasoning_content: undefined, reasoning_details: undefined }),
  withoutBlankText(message) {
    const { content } = message;
    if (isSilent(message)) {
      if (shape.role(message) === "tool") return withFields(message, { content: noOutput });
      // "" beside calls is how many servers write "no content"; other blank text is refused by some.
      return content ? withFields(message, { content: null }) : message;
    }
    return Array.isArray(content)
      ? withFields(message, { content: partsOf<ContentPart>(content).filter((part) => !isBlankPart(part)) })
      : message;
  },
};

import { isBlank, noOutput } from "./blank.ts";
import { editJson } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { filterSame, mapSame, withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

interface ContentPart {
  readonly type: string;
  readonly text?: string;
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

/** Where compatible providers put the model's reasoning. */
const reasoningFields = ["reasoning_content", "reasoning", "reasoning_details"];

const isBlankPart = (part: ContentPart): boolean => part.type === "text" && isBlank(part.text);

const isResult = ({ role }: ChatMessage): boolean => role === "tool" || role === "function";

const editTexts: EditTexts<ChatMessage> = (message, edit) => {
  const textPlace = isResult(message) ? "result" : "text";
  const picturePlace = isResult(message) ? "resultPicture" : "picture";
  const editPart = (part: ContentPart): ContentPart => {
    const before = part.type === "text" ? (part.text ?? "") : "";
    const text = part.type === "refusal" ? before : edit(part.type === "text" ? textPlace : picturePlace, before);
    return text === before ? part : { type: "text", text };
  };
  const editArguments = (json: string) => editJson(json, (text) => edit("argument", text));
  const editCall = (call: ToolCall): ToolCall => {
    const { function: called, custom } = call;
    if (called)
      return withFields(call, { function: withFields(called, { arguments: editArguments(called.arguments) }) });
    return custom ? withFields(call, { custom: withFields(custom, { input: edit("argument", custom.input) }) }) : call;
  };
  const { content, tool_calls: calls, function_call: legacyCall } = message;
  return withFields(message, {
    content: typeof content === "string" ? edit(textPlace, content) : content && mapSame(content, editPart),
    tool_calls: calls && mapSame(calls, editCall),
    function_call: legacyCall && withFields(legacyCall, { arguments: editArguments(legacyCall.arguments) }),
  });
};

/** Messages of OpenAI's Chat Completions API. Calls of the old `function_call` kind, which have no id, pair by name. */
export const shape: ShapeOf<ChatMessage> = {
  role({ role }) {
    if (role === "developer") return "system";
    return role === "function" ? "tool" : (role as MessageRole);
  },
  toolCallIds: ({ tool_calls: calls, function_call: legacyCall }) => [
    ...(calls ?? []).map(({ id }) => id),
    ...(legacyCall ? [legacyCall.name] : []),
  ],
  toolResultIds: (message) => (isResult(message) ? [message.tool_call_id ?? message.name ?? ""] : []),
  isDiscarded: () => false,
  isEmpty(message) {
    const { content, tool_calls: calls, function_call: legacyCall, refusal, audio } = message;
    if (isResult(message) || calls?.length || legacyCall || refusal || audio) return false;
    return typeof content === "string" ? isBlank(content) : (content ?? []).every(isBlankPart);
  },
  isRequest: ({ role }) => role === "user",
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls(message, ids) {
    const { tool_calls: calls, function_call: legacyCall } = message;
    const kept = withoutIds(calls ?? [], ids, ({ id }) => id);
    return withFields(message, {
      // An empty list of calls is refused.
      tool_calls: kept.length > 0 ? kept : undefined,
      function_call: legacyCall && ids.includes(legacyCall.name) ? undefined : legacyCall,
    });
  },
  withoutReasoning: (message) =>
    withFields(message, Object.fromEntries(reasoningFields.map((field) => [field, undefined]))),
  withoutBlankText(message) {
    const { content } = message;
    if (isResult(message)) {
      const isSilent = typeof content === "string" ? isBlank(content) : (content ?? []).every(isBlankPart);
      if (isSilent) return withFields(message, { content: noOutput });
    }
    // "" beside calls is how many servers write "no content"; other blank text is refused by some.
    if (typeof content === "string")
      return message.tool_calls && content && isBlank(content) ? withFields(message, { content: null }) : message;
    return content ? withFields(message, { content: filterSame(content, (part) => !isBlankPart(part)) }) : message;
  },
};

import { isBlank, noOutput } from "./blank.ts";
import { editJson, editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf as listed, wordFor } from "./parts.ts";
import { withFields } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly refusal?: string;
  /** Of a shell command, whose parts have no type. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** Of code that was run. */
  readonly logs?: string;
}

/** What the shape reads of an item of the Responses API, of the input or the output. */
export interface ResponseItem {
  readonly type?: string | null;
  readonly role?: string;
  readonly content?: unknown;
  readonly id?: string | null;
  readonly call_id?: string | null;
  readonly approval_request_id?: string | null;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  /** Of a file search. */
  readonly results?: unknown;
  /** Of code that OpenAI ran. */
  readonly code?: string | null;
  readonly outputs?: unknown;
  /** Of a patch. */
  readonly operation?: unknown;
  /** Of a command or of what is done on a computer. */
  readonly action?: unknown;
  readonly status?: string | null;
}

/** The id under which the item waits for its result: tools that OpenAI runs itself have none. */
const callIdOf = ({ type, id, call_id: callId }: ResponseItem): string | undefined => {
  if (type === "mcp_approval_request") return id ?? undefined;
  return type?.endsWith("_call") || type === "program" ? (callId ?? undefined) : undefined;
};

const resultIdOf = ({
  type,
  id,
  call_id: callId,
  approval_request_id: requestId,
}: ResponseItem): string | undefined => {
  if (type === "mcp_approval_response") return requestId ?? undefined;
  return type?.endsWith("_output")
    ? (callId ?? (type === "local_shell_call_output" ? id : undefined) ?? undefined)
    : undefined;
};

const partsOf = ({ content }: ResponseItem): readonly ContentPart[] => listed(content);
const isText = ({ type }: ContentPart): boolean => type === "input_text" || type === "output_text" || type === "text";
const isBlankText = (part: ContentPart): boolean => isText(part) && isBlank(part.text);

/** Calls that are understood without an id of their own. */
const idIsOptional = ["function_call", "custom_tool_call", "shell_call", "apply_patch_call", "tool_search_call"];
const textFields = ["text", "refusal", "stdout", "stderr", "logs"] as const;

const editTexts: EditTexts<ResponseItem> = (item, edit) => {
  const editContent = (content: unknown, place: "result" | "text") => {
    if (typeof content === "string") return edit(place, content);
    if (!Array.isArray(content)) return content;
    return listed<ContentPart>(content).map((part) => {
      const texts = textFields.flatMap((name) => {
        const text = part[name];
        return typeof text === "string" ? [[name, edit(place, text)]] : [];
      });
      if (texts.length > 0 || !part.type?.startsWith("input_")) return withFields(part, Object.fromEntries(texts));
      const text = edit(place === "result" ? "resultPicture" : "picture", wordFor(part.type));
      return text === "" ? part : { type: "input_text", text };
    });
  };
  const { type, content, output, outputs, code, input, arguments: args, results, operation, action } = item;
  const editArgument = (text: string) => edit("argument", text);
  if (type === "image_generation_call") {
    const text = edit("picture", "image");
    return text === "" ? item : ({ role: "assistant", content: text } as typeof item);
  }
  return withFields(item, {
    content: item.role === undefined ? content : editContent(content, "text"),
    output: editContent(output, "result"),
    outputs: editContent(outputs, "result"),
    results: editContent(results, "result"),
    code: code && editArgument(code),
    // What an approved call is run with is never edited.
    arguments: typeof args === "string" && type !== "mcp_approval_request" ? editJson(args, editArgument) : args,
    input: typeof input === "string" ? editArgument(input) : input,
    operation: editStrings(operation, editArgument),
    action: editStrings(action, editArgument),
  });
};

/** An item that has neither a role nor a call with a result to come. */
const isReasoningOrHosted = (item: ResponseItem): boolean =>
  item.role === undefined && callIdOf(item) === undefined && shape.role(item) === "assistant";

/**
 * Items of OpenAI's Responses API. A reasoning item stays with the item behind it, because the provider refuses one
 * without the other, and parallel calls stay together. All other items stand for themselves.
 */
export const shape: ShapeOf<ResponseItem> = {
  role(item) {
    const { role } = item;
    if (role !== undefined) return role === "developer" ? "system" : (role as MessageRole);
    if (resultIdOf(item) !== undefined) return "tool";
    return item.type === "compaction_trigger" ? "user" : "assistant";
  },
  toolCallIds: (item) => [callIdOf(item) ?? []].flat(),
  toolResultIds: (item) => [resultIdOf(item) ?? []].flat(),
  isDiscarded: (item) => item.status === "incomplete" && callIdOf(item) !== undefined,
  isEmpty(item) {
    if (item.role === undefined || item.type === "additional_tools") return false;
    return typeof item.content === "string" ? isBlank(item.content) : partsOf(item).every(isBlankText);
  },
  isRequest: ({ role }) => role === "user",
  // Reasoning, and a tool that OpenAI runs itself, with what came of it; parallel calls with what was said before them.
  joinsNext: (item, next) =>
    shape.role(next) === "assistant" &&
    (isReasoningOrHosted(item) || (shape.role(item) === "assistant" && callIdOf(next) !== undefined)),
  shorten: (item, maxTokens, countTokens) => shortenTexts(item, maxTokens, countTokens, editTexts),
  withoutReasoning(item) {
    // A list of tools is fetched again where it is missing.
    if (item.type === "reasoning" || item.type === "mcp_list_tools") return undefined;
    // An item with an id is looked up with the reasoning that led to it, and refused without it.
    return item.role !== undefined || idIsOptional.includes(item.type ?? "")
      ? withFields(item, { id: undefined })
      : item;
  },
  withoutBlankText(item) {
    const { content, output } = item;
    if (resultIdOf(item) !== undefined) {
      return isSilent(output) ? withFields(item, { output: noOutput }) : item;
    }
    return Array.isArray(content)
      ? withFields(item, { content: partsOf(item).filter((part) => !isBlankText(part)) })
      : item;
  },
};

const isSilent = (output: unknown): boolean =>
  typeof output === "string"
    ? isBlank(output)
    : Array.isArray(output) && listed<ContentPart>(output).every(isBlankText);

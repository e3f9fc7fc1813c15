import { editContent, editJson, editStrings, noOutput, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

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

/** Where a part has its text: of a message, a refusal, a shell command, code that was run. */
const textFields = ["text", "refusal", "stdout", "stderr", "logs"] as const;

/** Calls that are understood without an id of their own. */
const idIsOptional = ["function_call", "custom_tool_call", "shell_call", "apply_patch_call", "tool_search_call"];
const roleOf = (item: ResponseItem): MessageRole => {
  const { role, type } = item;
  if (role !== undefined) return role === "developer" ? "system" : (role as MessageRole);
  if (resultIdOf(item) !== undefined) return "tool";
  return type === "compaction_trigger" ? "user" : "assistant";
};

const editPieces: EditPieces<ResponseItem> = (item, edit, editsArguments) => {
  const { role, content, output, outputs, code, input, arguments: args, results, operation, action } = item;
  const type = item.type ?? "message";
  const editArgument = (text: string) => edit("argument", text) ?? "";
  const editParts = (kind: "text" | "resultText", value: unknown, silence?: string) => {
    const editPart = (part: ContentPart) => {
      const word = part.type ?? "part";
      const texts = textFields.flatMap((name) => {
        const text = part[name];
        return typeof text === "string" ? [[name, edit(kind, text)] as const] : [];
      });
      if (word.endsWith("text") && texts.some(([, text]) => text === undefined)) return undefined;
      if (texts.length > 0 || !word.startsWith("input_")) {
        return withFields(part, Object.fromEntries(texts.filter(([, text]) => text !== undefined)));
      }
      const text = edit(kind === "text" ? "picture" : "resultPicture", word);
      return text === word ? part : { type: "input_text", text };
    };
    return editContent(value, (text) => edit(kind, text), editPart, silence);
  };

  const callId = callIdOf(item);
  const resultId = resultIdOf(item);
  if (callId !== undefined) edit("callId", callId);
  if (resultId !== undefined) edit("resultId", resultId);
  if (type === "image_generation_call") {
    const text = edit("picture", "image");
    return text === "image" ? item : ({ role: "assistant", content: text } as typeof item);
  }
  if (type !== "message") edit(type === "reasoning" ? "reasoning" : "picture", type);
  const edited = withFields(item, {
    content: role === undefined ? content : editParts("text", content),
    output: editParts("resultText", output, resultId === undefined ? undefined : noOutput),
    outputs: editParts("resultText", outputs),
    results: editParts("resultText", results),
  });
  if (!editsArguments) return edited;
  return withFields(edited, {
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
  item.role === undefined && callIdOf(item) === undefined && roleOf(item) === "assistant";

/** Reasoning, a list of tools that is fetched again where it is missing, and what a search of OpenAI's own found. */
const withReasoning = ["reasoning", "mcp_list_tools", "web_search_call"];

// An item is a call or a result as a whole: neither can be taken out of it.
const { withoutToolCalls: _, withoutToolResults: __, ...pieces } = shapeOf(roleOf, editPieces);

/**
 * Items of OpenAI's Responses API. A reasoning item stays with the item behind it, because the provider refuses one
 * without the other, and parallel calls stay together. All other items stand for themselves.
 */
export const shape: ShapeOf<ResponseItem> = {
  ...pieces,
  isDiscarded: (item) => item.status === "incomplete" && callIdOf(item) !== undefined,
  isRequest: ({ role }) => role === "user",
  // Reasoning, and a tool that OpenAI runs itself, with what came of it; parallel calls with what was said before them.
  joinsNext: (item, next) =>
    roleOf(next) === "assistant" &&
    (isReasoningOrHosted(item) || (roleOf(item) === "assistant" && callIdOf(next) !== undefined)),
  withoutReasoning(item) {
    if (withReasoning.includes(item.type ?? "")) return undefined;
    // An item with an id is looked up with the reasoning that led to it, and refused without it.
    return item.role !== undefined || idIsOptional.includes(item.type ?? "")
      ? withFields(item, { id: undefined })
      : item;
  },
};

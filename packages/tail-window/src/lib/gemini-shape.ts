import { editField, editList, editPart, editStrings, isBlank, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPiece, EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

interface FunctionResponse {
  readonly id?: string;
  readonly name?: string;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly parts?: readonly unknown[];
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType?: string };
  readonly fileData?: { readonly mimeType?: string };
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
  readonly functionResponse?: FunctionResponse;
}

/** What the shape reads of a `Content` of the Gemini API. */
export interface GeminiContent {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

/** Calls may come without an id: then call and result pair by name and order. */
const pairId = ({ id, name }: { readonly id?: string; readonly name?: string }): string => id ?? name ?? "";

/** A part that only carries a signature is reasoning too. */
const isReasoning = (part: Part): boolean =>
  part.thought === true || (part.thoughtSignature !== undefined && part.text !== undefined && isBlank(part.text));

const isCall = (part: Part): boolean => part.functionCall !== undefined;

const roleOf = ({ role, parts }: GeminiContent): MessageRole => {
  if (role === "model") return "assistant";
  const isAnswer = Array.isArray(parts) && parts.length > 0 && parts.every((part) => part?.functionResponse);
  return isAnswer ? "tool" : ((role ?? "user") as MessageRole);
};

function editResult(result: FunctionResponse, edit: EditPiece): FunctionResponse {
  const { response = {}, parts } = result;
  const [only, ...others] = Object.entries(response);
  const isText = only && others.length === 0 && typeof only[1] === "string";
  const before = isText ? String(only[1]) : JSON.stringify(response);
  const after = edit("resultText", before) ?? before;
  const edited = after === before ? result.response : { [isText ? only[0] : "output"]: after };
  const pictures = parts?.length ? edit("resultPicture", "file") : "file";
  if (pictures === "file") return withFields(result, { response: edited });
  return withFields(result, { response: { ...edited, parts: pictures }, parts: undefined });
}

const editPieces: EditPieces<GeminiContent> = (content, edit, editsArguments) => {
  const editArgument = (text: string) => edit("argument", text) ?? "";
  const editItem = (part: Part) => {
    const { text, functionCall: call, functionResponse: result } = part;
    if (isReasoning(part)) return edit("reasoning", "thought") && part;
    if (text !== undefined) return editPart(part, "text", (said) => edit("text", said));
    if (call) {
      if (edit("callId", pairId(call)) === undefined) return undefined;
      const editArgs = () => editField(call, "args", (args) => editStrings(args, editArgument));
      return editsArguments ? withFields(part, { functionCall: editArgs() }) : part;
    }
    if (result) {
      if (edit("resultId", pairId(result)) === undefined) return undefined;
      return withFields(part, { functionResponse: editResult(result, edit) });
    }
    // Also what a tool that runs at Google was asked or answered, by its name.
    const word = (part.inlineData ?? part.fileData)?.mimeType ?? Object.keys(part)[0] ?? "part";
    const picture = edit("picture", word);
    return picture === word ? part : { text: picture };
  };
  return editField(content, "parts", (parts) => {
    if (!Array.isArray(parts)) return parts;
    const kept = editList<Part>(parts, editItem) as readonly Part[];
    // Of parallel calls only the first is signed, and the provider refuses an unsigned first call.
    const thoughtSignature = kept === parts ? undefined : parts.find((part) => part?.functionCall)?.thoughtSignature;
    const first = kept.find(isCall);
    if (thoughtSignature === undefined || !first || first.thoughtSignature !== undefined) return kept;
    return kept.map((part) => (part === first ? { thoughtSignature, ...part } : part));
  });
};

/**
 * `Content`s of the Gemini API. The signature of a call stays on it as it is. What Google's own tools ran stays as it is,
 * or goes as a whole.
 */
export const shape: ShapeOf<GeminiContent> = shapeOf(roleOf, editPieces);

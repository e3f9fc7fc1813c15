import { isBlank } from "./blank.ts";
import { editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf as listed, wordFor } from "./parts.ts";
import { withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

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

const partsOf = ({ parts }: GeminiContent): readonly Part[] => listed(parts);

/** Calls may come without an id: then call and result pair by name and order. */
const pairId = (part: { readonly id?: string; readonly name?: string } | undefined): string | undefined =>
  part && (part.id ?? part.name ?? "");

/** A part that only carries a signature is reasoning too. */
const isReasoning = (part: Part): boolean =>
  part.thought === true || (part.thoughtSignature !== undefined && part.text !== undefined && isBlank(part.text));
/** What a tool that runs at the provider was asked or answered. */
const isProvided = (part: Part): boolean =>
  ["executableCode", "codeExecutionResult", "toolCall", "toolResponse"].some((name) => name in part);
const isBlankText = (part: Part): boolean => part.text !== undefined && isBlank(part.text) && !isReasoning(part);

function editResponse(result: FunctionResponse, edit: Parameters<EditTexts<GeminiContent>>[1]): FunctionResponse {
  let { response = {} } = result;
  const [only, ...others] = Object.entries(response);
  if (only && others.length === 0 && typeof only[1] === "string") {
    response = withFields(response, { [only[0]]: edit("result", only[1]) });
  } else {
    const before = JSON.stringify(response);
    const after = edit("result", before);
    if (after !== before) response = { output: after };
  }
  const pictures = result.parts?.length ? edit("resultPicture", "file") : "";
  if (pictures !== "") return withFields(result, { response: { ...response, parts: pictures }, parts: undefined });
  return withFields(result, { response: result.response && response });
}

const editTexts: EditTexts<GeminiContent> = (content, edit) => {
  const editPart = (part: Part): Part => {
    if (isReasoning(part)) return part;
    const { text, functionCall: call, functionResponse: result } = part;
    if (text !== undefined) return withFields(part, { text: edit("text", text) });
    if (call) {
      const args = editStrings(call.args, (value) => edit("argument", value));
      return withFields(part, { functionCall: withFields(call, { args }) });
    }
    if (result) return withFields(part, { functionResponse: editResponse(result, edit) });
    const data = part.inlineData ?? part.fileData;
    const picture = data ? edit("picture", wordFor(data.mimeType)) : "";
    return picture === "" ? part : { text: picture };
  };
  return withFields(content, { parts: content.parts && partsOf(content).map(editPart) });
};

/**
 * `Content`s of the Gemini API. The signature of a call stays on it as it is. What Google's own tools ran stays as it is,
 * or goes with the reasoning.
 */
export const shape: ShapeOf<GeminiContent> = {
  role(content) {
    if (content.role === "model") return "assistant";
    const parts = partsOf(content);
    if (parts.length > 0 && parts.every(({ functionResponse }) => functionResponse)) return "tool";
    return (content.role ?? "user") as MessageRole;
  },
  toolCallIds: (content) => partsOf(content).flatMap(({ functionCall }) => pairId(functionCall) ?? []),
  toolResultIds: (content) => partsOf(content).flatMap(({ functionResponse }) => pairId(functionResponse) ?? []),
  isEmpty: (content) => partsOf(content).every((part) => isReasoning(part) || isBlankText(part)),
  shorten: (content, maxTokens, countTokens) => shortenTexts(content, maxTokens, countTokens, editTexts),
  withoutToolCalls(content, ids) {
    const parts = withoutIds(partsOf(content), ids, (part) => pairId(part.functionCall));
    const isCall = ({ functionCall }: Part) => functionCall !== undefined;
    // Of parallel calls only the first is signed, and the provider refuses an unsigned first call.
    const thoughtSignature = partsOf(content).find(isCall)?.thoughtSignature;
    const first = parts.find(isCall);
    const sign = (part: Part) => (part === first ? { thoughtSignature, ...part } : part);
    return withFields(content, { parts: thoughtSignature === undefined ? parts : parts.map(sign) });
  },
  withoutToolResults: (content, ids) =>
    withFields(content, { parts: withoutIds(partsOf(content), ids, (part) => pairId(part.functionResponse)) }),
  withoutReasoning(content) {
    const rest = partsOf(content).filter((part) => !isReasoning(part));
    const own = rest.filter((part) => !isProvided(part));
    return withFields(content, { parts: content.parts && (own.length > 0 ? own : rest) });
  },
  withoutBlankText: (content) =>
    withFields(content, { parts: content.parts && partsOf(content).filter((part) => !isBlankText(part)) }),
};

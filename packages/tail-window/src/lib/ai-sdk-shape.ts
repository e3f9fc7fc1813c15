import { editContent, editField, editList, editPart, editStrings, isBlank, noOutput, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPiece, EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly mediaType?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly approvalId?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly providerExecuted?: boolean;
  readonly providerOptions?: object;
}

interface Output {
  readonly type: string;
  readonly value?: unknown;
  /** Why a call was not allowed. */
  readonly reason?: string;
}

/** What the shape reads of a `ModelMessage` of the AI SDK, versions 5 and 6. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

const roleOf = ({ role }: AiSdkMessage): MessageRole => role as MessageRole;

const partsOf = ({ content }: AiSdkMessage): readonly Part[] =>
  Array.isArray(content) ? content.filter((part: unknown) => Object(part) === part) : [];

/** Approvals pair like calls and results, under ids of their own. */
const approval = (id: string | undefined): string => `approval ${id}`;

function editOutput(output: Output, edit: EditPiece): Output {
  const { type, value } = output;
  const editText = (text: string) => edit("resultText", text);
  switch (type) {
    case "text":
    case "error-text":
      return withFields(output, { value: editText(String(value)) ?? noOutput });
    case "json":
    case "error-json": {
      const before = JSON.stringify(value) ?? "";
      const after = editText(before) ?? before;
      return after === before ? output : withFields(output, { type: type.replace("json", "text"), value: after });
    }
    case "content": {
      const editItem = (part: Part) => {
        const { type: word = "part", mediaType = word } = part;
        if (word === "text") return editPart(part, "text", editText);
        const text = edit("resultPicture", mediaType);
        return text === mediaType ? part : { type: "text", text };
      };
      const left = editContent(value, editText, editItem, noOutput);
      return left === noOutput ? { type: "text", value: noOutput } : withFields(output, { value: left });
    }
    default:
      return editField(output, "reason", editText);
  }
}

const editPieces: EditPieces<AiSdkMessage> = (message, edit, editsArguments) => {
  const { role, content } = message;
  const isAssistant = role === "assistant";
  const idsOf = (wanted: string) =>
    new Set(partsOf(message).map(({ type, toolCallId }) => type === wanted && toolCallId));
  const answeredHere = idsOf("tool-result");
  const asked = idsOf("tool-approval-request");
  const editPicture = (part: Part, word: string) => {
    const text = edit("picture", word);
    return text === word ? part : { type: "text", text };
  };
  const keepIf = (kept: string | undefined, part: Part) => (kept === undefined ? undefined : part);

  const editItem = (part: Part) => {
    const { type = "part", mediaType = type, toolCallId = "", approvalId, output, text } = part;
    switch (type) {
      case "text":
        // Providers keep signatures in the options of parts without text.
        if (isBlank(text) && part.providerOptions) return keepIf(edit("reasoning", type), part);
        return editPart(part, "text", (said) => edit("text", said));
      case "reasoning":
        return keepIf(edit("reasoning", type), part);
      case "tool-call": {
        // What the provider ran itself needs no result from outside.
        if (part.providerExecuted || answeredHere.has(toolCallId)) {
          return asked.has(toolCallId) ? part : editPicture(part, type);
        }
        if (edit("callId", toolCallId) === undefined) return undefined;
        const editArgument = (argument: string) => edit("argument", argument) ?? "";
        return editsArguments ? editField(part, "input", (input) => editStrings(input, editArgument)) : part;
      }
      case "tool-approval-request":
        return keepIf(edit("callId", approval(approvalId)), part);
      case "tool-approval-response":
        return keepIf(edit("resultId", approval(approvalId)), part);
      case "tool-result":
        if (isAssistant) return editPicture(part, type);
        if (edit("resultId", toolCallId) === undefined) return undefined;
        return Object(output) === output ? withFields(part, { output: editOutput(output as Output, edit) }) : part;
      default:
        return editPicture(part, mediaType);
    }
  };
  const edited = editContent(content, (said) => edit("text", said), editItem);
  return withFields(message, { content: Array.isArray(edited) ? withoutIdleRequests(edited) : edited });
};

/** A request for the approval of a call that is gone asks for nothing. */
function withoutIdleRequests(parts: readonly Part[]): readonly unknown[] {
  const calls = new Set(parts.map(({ type, toolCallId }) => type === "tool-call" && toolCallId));
  const isIdle = ({ type, toolCallId = "" }: Part) => type === "tool-approval-request" && !calls.has(toolCallId);
  return editList(parts, (part) => (isIdle(part) ? undefined : part));
}

const pieces = shapeOf(roleOf, editPieces);

/** `ModelMessage`s of Vercel's AI SDK. An approved call that is about to run counts as answered while its approval is last. */
export const shape: ShapeOf<AiSdkMessage> = {
  ...pieces,
  /** A call and the request for its approval side by side, wherever they stand, because they go together. */
  toolCallIds(message) {
    const ids = pieces.toolCallIds(message);
    const requests = partsOf(message).filter(({ type }) => type === "tool-approval-request");
    const calls = new Map(requests.map(({ approvalId, toolCallId }) => [approval(approvalId), toolCallId]));
    const places = new Map(ids.map((id, at) => [id, at]));
    const placeOf = (id: string) => places.get(calls.get(id) ?? id) ?? 0;
    return calls.size > 0 ? ids.sort((a, b) => placeOf(a) - placeOf(b)) : ids;
  },
  answeredOnSend(message, lastMessage) {
    const responses = pieces.toolResultIds(lastMessage);
    return partsOf(message).flatMap(({ type, approvalId, toolCallId }) =>
      type === "tool-approval-request" && responses.includes(approval(approvalId)) ? (toolCallId ?? []) : [],
    );
  },
};

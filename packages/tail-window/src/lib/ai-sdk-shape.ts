import { isBlank, noOutput } from "./blank.ts";
import { editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf as listed, wordFor } from "./parts.ts";
import { withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

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
}

/** What the shape reads of a `ModelMessage` of the AI SDK, versions 5 and 6. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: string | readonly Part[];
}

const partsOf = ({ content }: AiSdkMessage): readonly Part[] => listed(content);
const isAssistant = ({ role }: AiSdkMessage): boolean => role === "assistant";

/** Providers keep signatures in the options of parts without text, so those are no blank text. */
const isBlankText = ({ type, text, providerOptions }: Part): boolean =>
  type === "text" && isBlank(text) && !providerOptions;

/** Approvals pair like calls and results, under ids of their own. */
const approval = (id: string | undefined): string => `approval ${id}`;

/** A call that the provider ran has its result in the same message and needs none from outside. */
const callIdOf = (part: Part): string | undefined => {
  if (part.type === "tool-call" && !part.providerExecuted) return part.toolCallId;
  return part.type === "tool-approval-request" ? approval(part.approvalId) : undefined;
};

/** The parts that want an answer, the request for an approval beside its call wherever it stands. */
function callsOf(message: AiSdkMessage): readonly Part[] {
  const calls = partsOf(message).filter((part) => callIdOf(part) !== undefined);
  const places = new Map(calls.toReversed().map(({ toolCallId }, at) => [toolCallId, -at]));
  const placeOf = ({ toolCallId }: Part): number => places.get(toolCallId) ?? 0;
  return calls.sort((a, b) => placeOf(a) - placeOf(b));
}

const resultIdOf = (part: Part): string | undefined => {
  if (part.type === "tool-result") return part.toolCallId;
  return part.type === "tool-approval-response" ? approval(part.approvalId) : undefined;
};

/** What the part is if it counts for what is in it, not for its text. */
const wordOf = ({ type, mediaType }: Part): string => wordFor(`${type} ${mediaType}`);

function editOutput(output: Output, edit: Parameters<EditTexts<AiSdkMessage>>[1]): Output {
  const { type, value } = output ?? {};
  switch (type) {
    case "text":
    case "error-text":
      return withFields(output, { value: edit("result", String(value)) });
    case "json":
    case "error-json": {
      const before = JSON.stringify(value) ?? "";
      const after = edit("result", before);
      return after === before ? output : withFields(output, { type: type.replace("json", "text"), value: after });
    }
    case "content": {
      const editPart = (part: Part): Part => {
        if (part.type === "text") return withFields(part, { text: edit("result", part.text ?? "") });
        const text = edit("resultPicture", wordOf(part));
        return text === "" ? part : { type: "text", text };
      };
      return Array.isArray(value) ? withFields(output, { value: listed<Part>(value).map(editPart) }) : output;
    }
    default:
      return output;
  }
}

const editTexts: EditTexts<AiSdkMessage> = (message, edit) => {
  const parts = partsOf(message);
  const idsOf = (type: string) => new Set(parts.map((part) => part.type === type && part.toolCallId));
  const calls = idsOf("tool-call");
  const results = idsOf("tool-result");
  /** The provider answered it in this very message, in a form of its own: both stay as they are, or both go. */
  const isAnsweredHere = ({ toolCallId = "" }: Part): boolean => calls.has(toolCallId) && results.has(toolCallId);
  const editPart = (part: Part): Part | readonly Part[] => {
    switch (part.type) {
      case "text":
        return withFields(part, { text: edit("text", part.text ?? "") });
      case "image":
      case "file": {
        const text = edit("picture", wordOf(part));
        return text === "" ? part : { type: "text", text };
      }
      case "tool-call":
        if (isAnsweredHere(part)) return edit("picture", "") === "" ? part : [];
        return withFields(part, { input: editStrings(part.input, (text) => edit("argument", text)) });
      case "tool-result": {
        if (!isAssistant(message)) return withFields(part, { output: editOutput(part.output as Output, edit) });
        const text = isAnsweredHere(part) ? edit("picture", `${part.toolName} result`) : "";
        return text === "" ? part : { type: "text", text };
      }
      default:
        return part;
    }
  };
  const { content } = message;
  return withFields(message, {
    content: typeof content === "string" ? edit("text", content) : content && parts.flatMap(editPart),
  });
};

/** `ModelMessage`s of Vercel's AI SDK. An approved call that is about to run counts as answered while its approval is last. */
export const shape: ShapeOf<AiSdkMessage> = {
  role: ({ role }) => role as MessageRole,
  toolCallIds: (message) => (isAssistant(message) ? callsOf(message).flatMap((part) => callIdOf(part) ?? []) : []),
  toolResultIds: (message) => (isAssistant(message) ? [] : partsOf(message).flatMap((part) => resultIdOf(part) ?? [])),
  isEmpty(message) {
    if (typeof message.content === "string") return isBlank(message.content);
    return message.role === "tool"
      ? partsOf(message).length === 0
      : partsOf(message).every((part) => part.type === "reasoning" || isBlankText(part));
  },
  answeredOnSend(message, lastMessage) {
    const responses = partsOf(lastMessage).flatMap((part) => resultIdOf(part) ?? []);
    return partsOf(message).flatMap(({ type, approvalId, toolCallId }) =>
      type === "tool-approval-request" && responses.includes(approval(approvalId)) ? (toolCallId ?? []) : [],
    );
  },
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls(message, ids) {
    const content = withoutIds(partsOf(message), ids, callIdOf);
    const calls = new Set(content.map(({ type, toolCallId }) => type === "tool-call" && toolCallId));
    // A request for the approval of a call that is gone asks for nothing.
    return withFields(message, {
      content: content.filter((part) => part.type !== "tool-approval-request" || calls.has(part.toolCallId)),
    });
  },
  withoutToolResults: (message, ids) => withFields(message, { content: withoutIds(partsOf(message), ids, resultIdOf) }),
  withoutReasoning: (message) =>
    typeof message.content === "string"
      ? message
      : withFields(message, { content: partsOf(message).filter(({ type }) => type !== "reasoning") }),
  withoutBlankText(message) {
    if (typeof message.content === "string") return message;
    const spoken = partsOf(message).filter((part) => !isBlankText(part));
    return withFields(message, { content: spoken.map(withoutSilence) });
  },
};

const withoutSilence = (part: Part): Part => {
  if (part.type !== "tool-result") return part;
  const output = (part.output ?? {}) as Output;
  const { type, value } = output;
  if (type === "content" && Array.isArray(value)) {
    const spoken = listed<Part>(value).filter((inner) => !isBlankText(inner));
    return withFields(part, {
      output: spoken.length > 0 ? withFields(output, { value: spoken }) : { type: "text", value: noOutput },
    });
  }
  const isText = type === "text" || type === "error-text";
  return isText && isBlank(value) ? withFields(part, { output: withFields(output, { value: noOutput }) }) : part;
};

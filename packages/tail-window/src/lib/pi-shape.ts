import { isBlank, noOutput } from "./blank.ts";
import { editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf as listed, wordFor } from "./parts.ts";
import { withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts } from "./shorten-texts.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly arguments?: unknown;
}

/** What the shape reads of an `AgentMessage` of pi, the messages of its extensions included. */
export interface PiMessage {
  readonly role: string;
  readonly content?: string | readonly Part[];
  readonly toolCallId?: string;
  readonly stopReason?: string;
  /** Of a shell command that the user ran. */
  readonly command?: string;
  readonly output?: string;
  readonly excludeFromContext?: boolean;
  /** Of a branch or a compaction. */
  readonly summary?: string;
}

const partsOf = ({ content }: PiMessage): readonly Part[] => listed(content);
const isBlankText = (part: Part): boolean => part.type === "text" && isBlank(part.text);
const callIdOf = ({ type, id }: Part): string | undefined => (type === "toolCall" ? id : undefined);

/** The roles that pi's `convertToLlm` sends, all but the first three in the user's name. */
const sentRoles = ["user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary"];

const editTexts: EditTexts<PiMessage> = (message, edit) => {
  const isResult = message.role === "toolResult";
  const editPart = (part: Part): Part => {
    if (part.type === "text") return withFields(part, { text: edit(isResult ? "result" : "text", part.text ?? "") });
    if (part.type === "toolCall") {
      return withFields(part, { arguments: editStrings(part.arguments, (text) => edit("argument", text)) });
    }
    const text = part.type === "image" ? edit(isResult ? "resultPicture" : "picture", wordFor(part.type)) : "";
    return text === "" ? part : { type: "text", text };
  };
  const { content, command, output, summary } = message;
  return withFields(message, {
    content: typeof content === "string" ? edit("text", content) : content && partsOf(message).map(editPart),
    command: command && edit("argument", command),
    output: output && edit("result", output),
    summary: summary && edit("text", summary),
  });
};

/** Messages of the pi coding agent. Messages of a role that pi does not send to a model are left out. */
export const shape: ShapeOf<PiMessage> = {
  role({ role }) {
    if (role === "toolResult") return "tool";
    return role === "assistant" || typeof role !== "string" ? (role as MessageRole) : "user";
  },
  toolCallIds: (message) => partsOf(message).flatMap((part) => callIdOf(part) ?? []),
  toolResultIds: ({ role, toolCallId }) => (role === "toolResult" ? [toolCallId ?? ""] : []),
  isDiscarded: ({ role, stopReason, excludeFromContext }) =>
    !sentRoles.includes(role) ||
    excludeFromContext === true ||
    (role === "assistant" && ["error", "aborted", "deferred"].includes(stopReason ?? "")),
  isEmpty({ role, content, command, summary }) {
    if (role === "toolResult" || command !== undefined) return false;
    if (!Array.isArray(content)) return isBlank(content ?? summary);
    return listed<Part>(content).every((part) => part.type === "thinking" || isBlankText(part));
  },
  isRequest: ({ role }) => role === "user",
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls: (message, ids) => withFields(message, { content: withoutIds(partsOf(message), ids, callIdOf) }),
  withoutReasoning: (message) =>
    Array.isArray(message.content)
      ? withFields(message, { content: partsOf(message).filter(({ type }) => type !== "thinking") })
      : message,
  withoutBlankText(message) {
    if (!Array.isArray(message.content)) return message;
    const spoken = partsOf(message).filter((part) => !isBlankText(part));
    const isSilent = message.role === "toolResult" && spoken.length === 0;
    return withFields(message, { content: isSilent ? [{ type: "text", text: noOutput }] : spoken });
  },
};

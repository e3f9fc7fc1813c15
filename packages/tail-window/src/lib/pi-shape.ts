import { editContent, editField, editPart, editStrings, noOutput, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

interface Part {
  readonly type?: string;
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

/** The roles that pi's `convertToLlm` sends, all but the first three in the user's name. */
const sentRoles = ["user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary"];

const roleOf = ({ role }: PiMessage): MessageRole => {
  if (role === "toolResult") return "tool";
  return role === "assistant" || typeof role !== "string" ? (role as MessageRole) : "user";
};

const editPieces: EditPieces<PiMessage> = (message, edit, editsArguments) => {
  const { role, content, toolCallId = "", command, output, summary } = message;
  const isResult = role === "toolResult";
  const editText = (text: string) => edit(isResult ? "resultText" : "text", text);
  const editArgument = (text: string) => edit("argument", text) ?? "";
  const editItem = (part: Part) => {
    const { type = "part", id = "" } = part;
    switch (type) {
      case "text":
        return editPart(part, "text", editText);
      case "thinking":
        return edit("reasoning", type) && part;
      case "toolCall":
        if (edit("callId", id) === undefined) return undefined;
        return editsArguments ? editField(part, "arguments", (args) => editStrings(args, editArgument)) : part;
      default: {
        const text = edit(isResult ? "resultPicture" : "picture", type);
        return text === type ? part : { type: "text", text };
      }
    }
  };

  if (isResult) edit("resultId", toolCallId);
  return withFields(message, {
    content: editContent(content, editText, editItem, isResult ? [{ type: "text", text: noOutput }] : undefined),
    command: command && edit("argument", command),
    output: output && edit("resultText", output),
    summary: summary && edit("text", summary),
  });
};

/** Messages of the pi coding agent. Messages of a role that pi does not send to a model are left out. */
export const shape: ShapeOf<PiMessage> = {
  ...shapeOf(roleOf, editPieces),
  isDiscarded: ({ role, stopReason, excludeFromContext }) =>
    !sentRoles.includes(role) ||
    excludeFromContext === true ||
    (role === "assistant" && ["error", "aborted", "deferred"].includes(stopReason ?? "")),
  isRequest: ({ role }) => role === "user",
};

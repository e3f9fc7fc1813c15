import { editContent, editField, editPart, editStrings, noOutput, withFields } from "./edit.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPieces } from "./pieces.ts";
import { shapeOf } from "./shape-of.ts";

interface Source {
  readonly type?: string;
  readonly data?: string;
}

interface Block {
  readonly type?: string;
  readonly text?: string;
  /** What the text was taken from, with excerpts. */
  readonly citations?: unknown;
  readonly id?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly source?: unknown;
}

/** What the shape reads of a message of Anthropic's Messages API. */
export interface AnthropicMessage {
  readonly role: string;
  readonly content?: string | readonly Block[];
}

/** A block whose size is in its data unless that is a text. */
const attachments = ["image", "document", "container_upload"];

const roleOf = ({ role, content }: AnthropicMessage): MessageRole => {
  const isAnswer =
    Array.isArray(content) && content.length > 0 && content.every((block) => block?.type === "tool_result");
  return isAnswer ? "tool" : (role as MessageRole);
};

const editPieces: EditPieces<AnthropicMessage> = (message, edit, editsArguments) => {
  const editArgument = (text: string) => edit("argument", text) ?? "";
  const editResult = (block: Block, silence: unknown): Block =>
    editField(block, "content", (content) =>
      editContent(content, (text) => edit("resultText", text), editInner, silence),
    );
  const editInner = (block: Block) => editBlock(block, "resultText", "resultPicture");
  const editBlock = (block: Block, textKind: "text" | "resultText", pictureKind: "picture" | "resultPicture") => {
    const { type = "block", id = "", tool_use_id: resultId = "" } = block;
    const source = block.source as Source | undefined;
    if (type === "text") {
      const bare =
        block.citations && !edit("reasoning", "citations") ? withFields(block, { citations: undefined }) : block;
      return editPart(bare, "text", (text) => edit(textKind, text));
    }
    if (source?.type === "text") {
      const { data = "" } = source;
      return withFields(block, { source: withFields(source, { data: edit(textKind, data) ?? data }) });
    }
    switch (type) {
      case "thinking":
      case "redacted_thinking":
        return edit("reasoning", type) && block;
      case "tool_use":
        if (edit("callId", id) === undefined) return undefined;
        return editsArguments ? editField(block, "input", (input) => editStrings(input, editArgument)) : block;
      case "tool_result":
        return edit("resultId", resultId) === undefined ? undefined : editResult(block, noOutput);
      case "search_result":
        return editResult(block, [{ type: "text", text: noOutput }]);
      default: {
        // Also what a tool that runs at Anthropic was asked and found, both in one message.
        const text = edit(attachments.includes(type) ? pictureKind : "picture", type);
        return text === type ? block : { type: "text", text };
      }
    }
  };
  return editField(message, "content", (content) =>
    editContent(
      content,
      (text) => edit("text", text),
      (block: Block) => editBlock(block, "text", "picture"),
    ),
  );
};

/**
 * Messages of Anthropic's Messages API. The results of parallel calls are blocks of one user message. Tools that
 * Anthropic's servers run have call and result in one assistant message: both stay as they are, or both go.
 */
export const shape: ShapeOf<AnthropicMessage> = shapeOf(roleOf, editPieces);

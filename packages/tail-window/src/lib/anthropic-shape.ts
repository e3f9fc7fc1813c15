import { isBlank, noOutput } from "./blank.ts";
import { editStrings } from "./edit-strings.ts";
import type { MessageRole, ShapeOf } from "./message-shape.ts";
import { partsOf, wordFor } from "./parts.ts";
import { withFields, withoutIds } from "./same.ts";
import { type EditTexts, shortenTexts, type TextPlace } from "./shorten-texts.ts";

interface Block {
  readonly type: string;
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

/** Blocks that count for what is in them, not for their text. */
const attachments = ["image", "document", "container_upload"];

const blocksOf = ({ content }: AnthropicMessage): readonly Block[] => partsOf(content);
const isBlankText = (block: Block): boolean => block.type === "text" && isBlank(block.text);
const isReasoning = ({ type }: Block): boolean => type === "thinking" || type === "redacted_thinking";
const isResult = ({ type }: Block): boolean => type === "tool_result";
/** A call or a result of a tool that runs at the provider. */
const isProvided = ({ type }: Block): boolean => /._tool_(use|result)$/.test(type);

function editBlock(
  block: Block,
  edit: Parameters<EditTexts<AnthropicMessage>>[1],
  textPlace: TextPlace,
  picturePlace: TextPlace,
): Block {
  if (block.type === "text") {
    const { text = "", citations } = block;
    const keepsCitations = !citations || edit(picturePlace, "") === "";
    return withFields(block, { text: edit(textPlace, text), citations: keepsCitations ? citations : undefined });
  }
  if (attachments.includes(block.type)) {
    const source = (block.source ?? {}) as { readonly type?: string; readonly data?: string };
    if (source.type === "text") {
      return withFields(block, { source: withFields(source, { data: edit(textPlace, source.data ?? "") }) });
    }
    const text = edit(picturePlace, wordFor(block.type));
    return text === "" ? block : { type: "text", text };
  }
  if (block.type === "tool_use") {
    return withFields(block, { input: editStrings(block.input, (text) => edit("argument", text)) });
  }
  if (!isResult(block) && block.type !== "search_result") return block;
  const { content } = block;
  if (typeof content === "string") return withFields(block, { content: edit("result", content) });
  if (!Array.isArray(content)) return block;
  return withFields(block, {
    content: partsOf<Block>(content).map((inner) => editBlock(inner, edit, "result", "resultPicture")),
  });
}

const editTexts: EditTexts<AnthropicMessage> = (message, edit) =>
  withFields(message, {
    content:
      typeof message.content === "string"
        ? edit("text", message.content)
        : message.content && blocksOf(message).map((block) => editBlock(block, edit, "text", "picture")),
  });

/** A result that has content, but only blank text. A result without content is legal. */
const withoutSilence = (block: Block): Block => {
  const { content } = block;
  if (!isResult(block) || content === undefined) return block;
  if (!Array.isArray(content)) return isBlank(content) ? withFields(block, { content: noOutput }) : block;
  const spoken = partsOf<Block>(content).filter((inner) => !isBlankText(inner));
  return withFields(block, { content: spoken.length > 0 || content.length === 0 ? spoken : noOutput });
};

/**
 * Messages of Anthropic's Messages API. The results of parallel calls are blocks of one user message. Tools that
 * Anthropic's servers run have call and result in one assistant message: they stay as they are, or go with the reasoning
 * where there is anything else in it.
 */
export const shape: ShapeOf<AnthropicMessage> = {
  role: (message) => {
    const blocks = blocksOf(message);
    return blocks.length > 0 && blocks.every(isResult) ? "tool" : (message.role as MessageRole);
  },
  toolCallIds: (message) => blocksOf(message).flatMap(({ type, id }) => (type === "tool_use" ? [id ?? ""] : [])),
  toolResultIds: (message) => blocksOf(message).flatMap((block) => (isResult(block) ? [block.tool_use_id ?? ""] : [])),
  isEmpty: (message) =>
    typeof message.content === "string"
      ? isBlank(message.content)
      : blocksOf(message).every((block) => isReasoning(block) || isBlankText(block)),
  shorten: (message, maxTokens, countTokens) => shortenTexts(message, maxTokens, countTokens, editTexts),
  withoutToolCalls: (message, ids) =>
    withFields(message, {
      content: withoutIds(blocksOf(message), ids, ({ type, id }) => (type === "tool_use" ? id : undefined)),
    }),
  withoutToolResults: (message, ids) =>
    withFields(message, {
      content: withoutIds(blocksOf(message), ids, (block) => (isResult(block) ? block.tool_use_id : undefined)),
    }),
  withoutReasoning(message) {
    if (!Array.isArray(message.content)) return message;
    const rest = blocksOf(message).filter((block) => !isReasoning(block));
    const own = rest.filter((block) => !isProvided(block));
    const content = own.length > 0 ? own : rest;
    return content.length > 0 ? withFields(message, { content }) : undefined;
  },
  withoutBlankText: (message) =>
    Array.isArray(message.content)
      ? withFields(message, {
          content: blocksOf(message)
            .filter((block) => !isBlankText(block))
            .map(withoutSilence),
        })
      : message,
};

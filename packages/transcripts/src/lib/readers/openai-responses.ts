import { createConversationBuilder } from "../conversation-builder.ts";
import { isObject, label, list, nonEmpty, property, text } from "../json-value.ts";
import { createResponsesFolder } from "../responses-items.ts";
import type { DocumentReader } from "../transcript-reader.ts";

const itemType =
  /^(?:message|reasoning|item_reference|compaction|(?:function_call|custom_tool_call|tool_search|local_shell_call|computer_call)(?:_output)?|\w+_call)$/;

/**
 * Items of OpenAI's Responses interface: a list, a request with `input`, a response with `output`, or a list of such
 * items a line.
 */
export const openAiResponses: DocumentReader = {
  format: "openai-responses",
  layout: "document",
  refuse(document) {
    const items = itemsIn(document);
    if (items.length === 0) return "no list of items, and no input or output that is one";
    const isItem = (item: unknown) =>
      itemType.test(text(property(item, "type")) ?? (isObject(item) && "role" in item ? "message" : ""));
    if (!items.every(isItem)) return "items of other types than message, reasoning and calls";
    const isTyped = items.some((item) => {
      const type = property(item, "type");
      const parts = list(property(item, "content")).map((part) => property(part, "type"));
      return (
        (type !== undefined && type !== "message") || parts.includes("input_text") || parts.includes("output_text")
      );
    });
    return isTyped ? undefined : "no item beside plain messages";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    const model = nonEmpty(property(document, "model"));
    const folder = createResponsesFolder(builder, () => (model === undefined ? {} : { model }));
    const instructions = nonEmpty(property(document, "instructions"));
    if (instructions !== undefined) builder.add({ role: "system", content: instructions }, 0);
    for (const [ordinal, item] of itemsIn(document).entries()) {
      if (!isObject(item)) continue;
      if (item.type === "compaction") {
        folder.flush();
        builder.compaction({ at: builder.length, summary: null, opaque: item, replaces: "prefix" });
      }
      if (!folder.item(item, { ordinal })) report.ignore(label(item.type ?? item.role));
    }
    folder.flush();
    return [builder.finish(nonEmpty(property(document, "id")) ?? "conversation")];
  },
};

function itemsIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const input = property(document, "input");
  const asked = typeof input === "string" ? [{ type: "message", role: "user", content: input }] : list(input);
  return [...asked, ...list(property(document, "output"))];
}

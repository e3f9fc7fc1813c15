import { createConversationBuilder } from "../conversation-builder.ts";
import { addGoogleContent } from "../google-content.ts";
import { list, nonEmpty, property, text } from "../json-value.ts";
import type { DocumentReader } from "../transcript-reader.ts";

/** Lists of Google's `Content`, as requests to Gemini and Gemini CLI's saved checkpoints hold them. */
export const geminiContents: DocumentReader = {
  format: "gemini-contents",
  layout: "document",
  refuse(document) {
    const contents = contentsIn(document);
    const areContents = contents.every((content) => {
      const role = property(content, "role");
      return Array.isArray(property(content, "parts")) && (role === "user" || role === "model" || role === "function");
    });
    return contents.length > 0 && areContents && contents.some(isGoogles)
      ? undefined
      : "no contents with the roles user and model";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    const system = property(document, "systemInstruction") ?? property(document, "system_instruction");
    const prompt = list(property(system, "parts")).flatMap((part) => text(property(part, "text")) ?? []);
    if (prompt.length > 0) builder.add({ role: "system", content: prompt.join("\n") }, 0);
    for (const [ordinal, content] of contentsIn(document).entries()) {
      addGoogleContent(builder, content, { ordinal, report });
    }
    return [builder.finish(nonEmpty(property(document, "id")) ?? "conversation")];
  },
};

function contentsIn(document: unknown): readonly unknown[] {
  return Array.isArray(document) ? document : list(property(document, "contents"));
}

/** The AI SDK's UI messages have `parts` too, each with a `type`. */
function isGoogles(content: unknown): boolean {
  return list(property(content, "parts")).every((part) => property(part, "type") === undefined);
}

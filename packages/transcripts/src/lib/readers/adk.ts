import { createConversationBuilder } from "../conversation-builder.ts";
import { addGoogleContent } from "../google-content.ts";
import { isObject, list, nonEmpty, property, text } from "../json-value.ts";
import { present } from "../optional-fields.ts";
import type { DocumentReader } from "../transcript-reader.ts";

/** Sessions of Google's Agent Development Kit. Calls have no ids and pair by name and order. */
export const adk: DocumentReader = {
  format: "adk",
  layout: "document",
  refuse(document) {
    const events = list(property(document, "events"));
    const areEvents = events.every((event) => text(property(event, "author")) !== undefined);
    return events.length > 0 && areEvents ? undefined : "no events with an author";
  },
  read(document, report) {
    const builder = createConversationBuilder();
    for (const [ordinal, event] of list(property(document, "events")).entries()) {
      if (!isObject(event)) continue;
      const seconds = typeof event.timestamp === "number" ? Math.round(event.timestamp * 1000) : undefined;
      const common = { id: event.id, ...present({ author: nonEmpty(event.author), timestamp: seconds }) };
      addGoogleContent(builder, event.content, { ordinal, common, report });
    }
    return [builder.finish(nonEmpty(property(document, "id")) ?? "session")];
  },
};

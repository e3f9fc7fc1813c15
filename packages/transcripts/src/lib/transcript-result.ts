import { createFreeNames } from "./free-names.ts";
import type { CollectedReport } from "./read-report.ts";
import type { Conversation, TranscriptFile } from "./transcript-file.ts";

/** The result of a reading: at least one conversation, no id twice. */
export function transcriptFile(
  format: string,
  conversations: readonly Conversation[],
  report: CollectedReport,
): TranscriptFile {
  const found = conversations.length > 0 ? conversations : [{ id: "session", messages: [], compactions: [] }];
  return { format, conversations: withUniqueIds(found), diagnostics: report.diagnostics() };
}

function withUniqueIds(conversations: readonly Conversation[]): readonly Conversation[] {
  const ids = createFreeNames((id, copy) => `${id}#${copy}`);
  return conversations.map((conversation) => {
    const id = ids.take(conversation.id);
    return id === conversation.id ? conversation : { ...conversation, id };
  });
}

import { createConversationBuilder } from "../conversation-builder.ts";
import { label, list, property } from "../json-value.ts";
import { addOpenAiChatMessage } from "../openai-chat-messages.ts";
import type { DocumentReader } from "../transcript-reader.ts";

/** Results of τ-bench: a list of runs, each with its Chat Completions messages under `traj`. */
export const tauBench: DocumentReader = {
  format: "tau-bench",
  layout: "document",
  refuse(document) {
    const runs = list(document);
    const areRuns = runs.every((run) => property(run, "task_id") !== undefined && Array.isArray(property(run, "traj")));
    return runs.length > 0 && areRuns ? undefined : "no list of runs with task_id and traj";
  },
  read: (document, report) =>
    list(document).map((run) => {
      const builder = createConversationBuilder();
      for (const [ordinal, message] of list(property(run, "traj")).entries()) {
        addOpenAiChatMessage(builder, message, ordinal, report);
      }
      return builder.finish(`task-${label(property(run, "task_id"))}-trial-${label(property(run, "trial") ?? 0)}`);
    }),
};

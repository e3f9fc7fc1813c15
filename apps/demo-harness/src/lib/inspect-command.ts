import { createTokenCounter } from "@holdfast/token-counter";
import { conversationFacts, sumFacts } from "./conversation-facts.ts";
import { messagePlace } from "./message-place.ts";
import { openTranscript } from "./open-conversation.ts";
import type { Output } from "./output.ts";
import { grouped, table } from "./table.ts";

/** `holdfast inspect FILE`: what a session file holds. */
export async function inspectCommand(path: string, options: { readonly json?: boolean }, output: Output) {
  const file = await openTranscript(path, output);
  using counter = await createTokenCounter();
  const conversations = file.conversations.map((conversation) => conversationFacts(conversation, counter));
  const facts = {
    format: file.format,
    ...sumFacts(conversations),
    compactions: conversations.flatMap(({ compactions }) => compactions),
    conversations,
    diagnostics: file.diagnostics,
  };
  if (options.json) return output.json(facts);

  const { messages, pairingProblems } = facts;
  output.line(`${path}: ${file.format}, ${conversations.length} conversation${conversations.length === 1 ? "" : "s"}`);
  output.line();
  output.line(
    table(
      ["", "messages", "tokens"],
      [
        ["all", grouped(messages.total), grouped(facts.tokens)],
        ["system", grouped(messages.system), ""],
        ["user", `${grouped(messages.user)} (${grouped(messages.injected)} injected by a tool)`, ""],
        ["assistant", grouped(messages.assistant), ""],
        ["tool results", grouped(messages.tool), ""],
      ],
    ),
  );
  output.line();
  output.line(
    `${grouped(facts.toolCalls)} tool calls, ${pairingProblems.unansweredCalls} of them unanswered; ${pairingProblems.orphanedResults} results without a call.`,
  );
  for (const { messages: transcript, compactions } of file.conversations) {
    for (const { at, replaces, summary, tokensBefore } of compactions) {
      const size =
        summary === null ? "a summary that cannot be read" : `a summary of ${grouped(summary.length)} characters`;
      const before = tokensBefore === undefined ? "" : ` at ${grouped(tokensBefore)} tokens`;
      output.line(`Compaction after ${messagePlace(transcript, at - 1)}${before}: replaced ${replaces}, ${size}.`);
    }
  }
}

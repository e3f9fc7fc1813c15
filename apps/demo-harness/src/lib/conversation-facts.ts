import { type Message, shape } from "@holdfast/message-schema";
import { findPairingProblems } from "@holdfast/tail-window";
import type { TokenCounter } from "@holdfast/token-counter";
import type { Conversation } from "@holdfast/transcripts";

/** What `inspect` says of one conversation. */
export function conversationFacts(conversation: Conversation, counter: TokenCounter) {
  const { messages } = conversation;
  const problems = findPairingProblems(messages, shape);
  const of = (role: Message["role"]) => messages.filter((message) => message.role === role).length;
  return {
    id: conversation.id,
    messages: {
      total: messages.length,
      system: of("system"),
      user: of("user"),
      assistant: of("assistant"),
      tool: of("toolResult"),
      injected: messages.filter((message) => message.role === "user" && message.origin === "injected").length,
    },
    tokens: counter.countMessages(messages),
    toolCalls: messages.reduce((sum, message) => sum + shape.toolCallIds(message).length, 0),
    pairingProblems: {
      orphanedResults: problems.filter(({ kind }) => kind === "orphaned_result").length,
      unansweredCalls: problems.filter(({ kind }) => kind === "unanswered_call").length,
    },
    compactions: conversation.compactions,
  };
}

export type ConversationFacts = ReturnType<typeof conversationFacts>;

/** The same figures over several conversations. */
export function sumFacts(all: readonly ConversationFacts[]) {
  const sum = (pick: (facts: ConversationFacts) => number) => all.reduce((total, facts) => total + pick(facts), 0);
  return {
    messages: {
      total: sum(({ messages }) => messages.total),
      system: sum(({ messages }) => messages.system),
      user: sum(({ messages }) => messages.user),
      assistant: sum(({ messages }) => messages.assistant),
      tool: sum(({ messages }) => messages.tool),
      injected: sum(({ messages }) => messages.injected),
    },
    tokens: sum(({ tokens }) => tokens),
    toolCalls: sum(({ toolCalls }) => toolCalls),
    pairingProblems: {
      orphanedResults: sum(({ pairingProblems }) => pairingProblems.orphanedResults),
      unansweredCalls: sum(({ pairingProblems }) => pairingProblems.unansweredCalls),
    },
  };
}

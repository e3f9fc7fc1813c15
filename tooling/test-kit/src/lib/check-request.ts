import { checkMessage } from "./check-message.ts";
import { checkPairing } from "./check-pairing.ts";

export interface RequestLimits<M> {
  /** Counts the whole request in tokens, with whatever else the caller sends. Without it size is not checked. */
  readonly countTokens?: ((messages: readonly M[]) => number) | undefined;
  /** The request must count fewer tokens than this. Default: no limit. */
  readonly limitTokens?: number | undefined;
  /** After leading system messages the list starts with the user, as a list behind a checkpoint does. Default: false. */
  readonly startsWithUser?: boolean | undefined;
  /** The list ends with the user or a tool result: something for the model to answer. Default: false. */
  readonly endsWithInput?: boolean | undefined;
}

/**
 * What a strict provider would refuse in a list of messages, one sentence each; empty when it would take the list. It
 * shares no code with the packages whose requests it checks, and reads its input as unknown data.
 */
export function checkRequest<M>(messages: readonly M[], limits: RequestLimits<M> = {}): string[] {
  const problems = messages.flatMap((message, index) =>
    checkMessage(message).map((problem) => `${nameMessage(message, index)} ${problem}`),
  );
  if (messages.some((message) => typeof message !== "object" || message === null)) return problems;
  for (const { index, problem } of checkPairing(messages)) {
    problems.push(`${nameMessage(messages[index], index)} ${problem}`);
  }
  return [...problems, ...checkIds(messages), ...checkEnds(messages, limits), ...checkSize(messages, limits)];
}

function checkIds(messages: readonly unknown[]): string[] {
  const seen = new Set<unknown>();
  const repeated = new Set<unknown>();
  for (const message of messages) {
    const { id } = message as { id?: unknown };
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return [...repeated].map((id) => `the message id ${String(id)} is used more than once`);
}

function checkEnds<M>(messages: readonly M[], limits: RequestLimits<M>): string[] {
  const roles = messages.map((message) => (message as { role?: unknown }).role);
  const first = roles.find((role) => role !== "system");
  const last = roles.at(-1);
  const problems: string[] = [];
  if (first === undefined) problems.push("the request holds no message but system messages");
  if (limits.startsWithUser === true && first !== "user") problems.push(`the request starts with ${String(first)}`);
  if (limits.endsWithInput === true && last !== "user" && last !== "toolResult") {
    problems.push(`the request ends with ${String(last)}`);
  }
  return problems;
}

function checkSize<M>(messages: readonly M[], limits: RequestLimits<M>): string[] {
  if (limits.countTokens === undefined || limits.limitTokens === undefined) return [];
  const tokens = limits.countTokens(messages);
  return tokens < limits.limitTokens ? [] : [`the request counts ${tokens} tokens, the limit is ${limits.limitTokens}`];
}

function nameMessage(message: unknown, index: number): string {
  const id = typeof message === "object" && message !== null ? (message as { id?: unknown }).id : undefined;
  return `message ${index}${id === undefined ? "" : ` (${String(id)})`}`;
}

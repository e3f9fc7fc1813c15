import type { Message } from "@holdfast/message-schema";
import { type MessageShape, selectTailWindow } from "@holdfast/tail-window";
import { isRequest } from "./is-request.ts";
import { latestRequest } from "./latest-request.ts";
import type { FallbackInput } from "./policy.ts";
import { withoutUsage } from "./without-usage.ts";

/** The retained tail of a fallback: an anchor when the window needs one, then the window. */
export interface RecentTail {
  readonly messages: readonly Message[];
  readonly tokens: number;
  readonly anchorId: string | undefined;
  /** Id of the window's first message; `undefined` for an empty window. */
  readonly windowStartId: string | undefined;
  readonly shortenedIds: readonly string[];
  readonly omitted: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * The newest contiguous messages of the window range within the budget. In an active turn the newest request goes
 * ahead of them when they do not hold it, and is paid out of the same budget.
 */
export function selectRecentTail(input: FallbackInput, budgetTokens: number): RecentTail {
  const request = input.mode === "active_turn" ? latestRequest(input) : undefined;
  const range = input.windowRange;
  const copy = range.findLastIndex(({ id }) => id === request?.id);
  // The range may hold the request as an earlier compaction shortened it: the transcript's own stands in for it.
  const messages = request !== undefined && copy >= 0 ? range.with(copy, request) : range;
  const window = selectTailWindow(messages, {
    budgetTokens,
    countTokens: (message) => input.countTokens.message(message),
    shape: withoutLeadingSystem(input.shape),
    anchor: request === undefined ? undefined : copy >= 0 ? { index: copy } : { message: request },
  });

  const [first] = window.messages;
  const hasAnchor = request !== undefined && first?.id === request.id && messages[window.startIndex]?.id !== request.id;
  const idsAt = (indexes: readonly number[]) => indexes.flatMap((index) => messages[index]?.id ?? []);
  const shortened = new Set(idsAt(window.shortened));
  if (hasAnchor && first !== request) shortened.add(request.id);
  return {
    messages: window.messages.map(withoutUsage),
    tokens: window.tokens,
    anchorId: hasAnchor ? request.id : undefined,
    windowStartId: messages[window.startIndex]?.id,
    shortenedIds: [...shortened],
    omitted: window.omitted.flatMap(({ index, reason }) => idsAt([index]).map((id) => ({ id, reason }))),
  };
}

/**
 * The range starts in mid-conversation, so a system message at its head is an ordinary message, paid for like the
 * others, and not the instructions every request begins with.
 */
function withoutLeadingSystem(shape: MessageShape<Message>): MessageShape<Message> {
  return {
    ...shape,
    role(message) {
      const role = shape.role(message);
      return role === "system" ? "user" : role;
    },
    isRequest(message) {
      return shape.role(message) !== "system" && isRequest(message, shape);
    },
  };
}

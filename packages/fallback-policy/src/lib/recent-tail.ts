import type { Message } from "@holdfast/message-schema";
import { selectTailWindow, type TailWindow } from "@holdfast/tail-window";
import { latestRequest } from "./latest-request.ts";
import type { FallbackInput } from "./policy.ts";
import { shortenMessage } from "./shorten-message.ts";
import { windowShape } from "./window-shape.ts";
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

const ANCHOR_MAX_TOKENS = 20_000;

/** Most tokens of a window's budget that an anchor takes. */
export function anchorMaxTokens(budgetTokens: number): number {
  return Math.min(Math.floor(budgetTokens / 3), ANCHOR_MAX_TOKENS);
}

/**
 * The newest contiguous messages of the range within the budget. In an active turn the newest request goes ahead of
 * them when they do not hold it, and is paid out of the same budget.
 *
 * @param range the window range, or its newest stretch
 */
export function selectRecentTail(
  input: FallbackInput,
  { range, budgetTokens }: { readonly range: readonly Message[]; readonly budgetTokens: number },
): RecentTail {
  const request = input.mode === "active_turn" ? latestRequest(input) : undefined;
  const copy = request === undefined ? -1 : range.findLastIndex(({ id }) => id === request.id);
  // The range may hold the request as an earlier compaction shortened it: the transcript's own stands in for it.
  const messages = request !== undefined && copy >= 0 ? range.with(copy, request) : range;
  const options = {
    countTokens: (message: Message) => input.countTokens.message(message),
    shape: windowShape(input.shape),
  };
  const selected = selectTailWindow(messages, {
    ...options,
    budgetTokens,
    ...(request !== undefined && { anchor: { message: request } }),
  });
  if (request === undefined || selected.messages.some(({ id }) => id === request.id)) {
    return tailOf(selected, { messages, request });
  }
  // It cannot be made as short as an anchor should be, or leaves no room for any other message. A window without its
  // goal is worth less than the goal.
  const anchor = shortenMessage(input, request, anchorMaxTokens(budgetTokens));
  const anchorTokens = input.countTokens.message(anchor);
  const rest = selectTailWindow(messages, { ...options, budgetTokens: Math.max(0, budgetTokens - anchorTokens) });
  return tailOf(
    { ...rest, messages: [anchor, ...rest.messages], tokens: anchorTokens + rest.tokens },
    { messages, request },
  );
}

function tailOf(
  window: TailWindow<Message>,
  { messages, request }: { readonly messages: readonly Message[]; readonly request: Message | undefined },
): RecentTail {
  const windowStartId = messages[window.startIndex]?.id;
  const [first] = window.messages;
  const anchor = first !== undefined && first.id === request?.id && first.id !== windowStartId ? first : undefined;
  const idsAt = (indexes: readonly number[]) => indexes.flatMap((index) => messages[index]?.id ?? []);
  const shortenedIds = new Set(idsAt(window.shortened));
  if (anchor !== undefined && anchor !== request) shortenedIds.add(anchor.id);
  return {
    messages: window.messages.map(withoutUsage),
    tokens: window.tokens,
    anchorId: anchor?.id,
    windowStartId,
    shortenedIds: window.messages.map(({ id }) => id).filter((id) => shortenedIds.has(id)),
    omitted: window.omitted.flatMap(({ index, reason }) => idsAt([index]).map((id) => ({ id, reason }))),
  };
}

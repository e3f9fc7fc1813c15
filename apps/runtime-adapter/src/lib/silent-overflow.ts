import type { Message } from "@holdfast/message-schema";

/**
 * Whether an answer shows that its request did not fit, although the provider reported no error: more usage than the
 * window holds, since the provider then cut the request itself, or a stop at the output limit before any text or call.
 * Hand such an answer to `recoverFromOverflow` as the last message. `contextWindow` in tokens; unknown (`undefined` or
 * `null`): only the stop tells.
 */
export function isSilentOverflow(answer: Message, contextWindow: number | null | undefined): boolean {
  if (answer.role !== "assistant") return false;
  if ((answer.usage?.totalTokens ?? 0) > (contextWindow ?? Number.POSITIVE_INFINITY)) return true;
  const saysNothing = answer.content.every((part) => part.type === "thinking" || isBlankText(part));
  return answer.stopReason === "length" && saysNothing;
}

function isBlankText(part: { readonly type: string; readonly text?: unknown }): boolean {
  return part.type === "text" && typeof part.text === "string" && part.text.trim() === "";
}

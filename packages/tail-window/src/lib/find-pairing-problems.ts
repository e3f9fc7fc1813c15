import { checkedRole } from "./checked-input.ts";
import type { MessageShape } from "./message-shape.ts";
import type { PairingProblem } from "./tail-window.ts";

/**
 * Every tool result without a call before it and every tool call without a result behind it, in the order of the list;
 * `[]` for the empty list. A result answers the nearest earlier unanswered call with its id; a second result for an
 * answered call is an orphan. Neither the order of the results nor what stands between call and result is a problem:
 * a writer for one provider puts that right. A discarded message counts like any other, because it is in the list.
 */
export function findPairingProblems<M>(messages: readonly M[], shape: MessageShape<NoInfer<M>>): PairingProblem[] {
  const problems: PairingProblem[] = [];
  const unanswered = new Map<string, number[]>();
  messages.forEach((message, index) => {
    checkedRole(message, index, shape);
    for (const toolCallId of shape.toolResultIds(message)) {
      const call = unanswered.get(toolCallId)?.pop();
      if (call === undefined) problems.push({ kind: "orphaned_result", index, toolCallId });
    }
    for (const toolCallId of shape.toolCallIds(message)) {
      const calls = unanswered.get(toolCallId) ?? [];
      calls.push(index);
      unanswered.set(toolCallId, calls);
    }
  });
  const last = messages.at(-1) as M;
  for (const [toolCallId, calls] of unanswered) {
    for (const index of calls) {
      if (shape.answeredOnSend?.(messages[index] as M, last).includes(toolCallId)) continue;
      problems.push({ kind: "unanswered_call", index, toolCallId });
    }
  }
  return problems.sort((a, b) => a.index - b.index);
}

interface Step {
  readonly calls: readonly string[];
  readonly answers: string | undefined;
}

/**
 * Whether every call of an assistant message is answered once by the run of results right behind it, in any order.
 * A result anywhere else has no call. Read forwards with one list of open calls, as a strict provider does.
 */
export function checkPairing(messages: readonly unknown[]): { index: number; problem: string }[] {
  const problems: { index: number; problem: string }[] = [];
  let askedAt = -1;
  let asked: readonly string[] = [];
  let open: string[] = [];

  function closeRun(): void {
    for (const id of open) problems.push({ index: askedAt, problem: `makes the call ${id} that nothing answers` });
    open = [];
  }

  messages.map(readStep).forEach(({ calls, answers }, index) => {
    if (answers === undefined) {
      closeRun();
      askedAt = index;
      asked = calls;
      open = [...calls];
      return;
    }
    const place = open.indexOf(answers);
    if (place >= 0) {
      open.splice(place, 1);
    } else if (asked.includes(answers)) {
      problems.push({ index, problem: `answers the call ${answers} once more` });
    } else {
      problems.push({ index, problem: `answers the call ${answers} that is not right before it` });
    }
  });
  closeRun();
  return problems;
}

function readStep(message: unknown): Step {
  const { role, content, toolCallId } = message as { role?: unknown; content?: unknown; toolCallId?: unknown };
  if (role === "toolResult") return { calls: [], answers: String(toolCallId) };
  if (role !== "assistant" || !Array.isArray(content)) return { calls: [], answers: undefined };
  const parts: readonly { type?: unknown; id?: unknown }[] = content;
  return { calls: parts.filter((part) => part.type === "toolCall").map((part) => String(part.id)), answers: undefined };
}

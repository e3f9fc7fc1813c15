/** What a result says about the call it answers. */
export interface ResultClaim {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

export interface CallLedger {
  /** Enters a call and returns its id: the given one, or one minted from its position among the calls. */
  ask(call: { readonly name: string; readonly id?: string | undefined }): string;
  /** Which call a result answers. A result of no known call gets the name it brings, else `"unknown"`. */
  answer(claim: ResultClaim): { readonly toolCallId: string; readonly toolName: string };
}

interface AskedCall {
  readonly id: string;
  readonly name: string;
  isAnswered: boolean;
}

/** Calls in the order they came; all before `oldest` are answered. */
interface CallQueue {
  readonly calls: AskedCall[];
  oldest: number;
}

function oldestOpen(queue: CallQueue | undefined): AskedCall | undefined {
  if (!queue) return undefined;
  while (queue.calls[queue.oldest]?.isAnswered) queue.oldest += 1;
  return queue.calls[queue.oldest];
}

/**
 * Pairs results with calls by position: ids may be used again, so a result answers the nearest earlier call with its
 * id that is still open. A result without an id answers the oldest open call of its name, or, when it brings no name
 * either, the oldest open one.
 */
export function createCallLedger(): CallLedger {
  const asked: CallQueue = { calls: [], oldest: 0 };
  const byName = new Map<string, CallQueue>();
  const byId = new Map<string, { readonly name: string; readonly open: AskedCall[] }>();
  let orphans = 0;

  return {
    ask({ name, id = `call-${asked.calls.length}` }) {
      const call = { id, name, isAnswered: false };
      asked.calls.push(call);
      const sameName = byName.get(name);
      if (sameName) sameName.calls.push(call);
      else byName.set(name, { calls: [call], oldest: 0 });
      const known = byId.get(id);
      if (known) known.open.push(call);
      else byId.set(id, { name, open: [call] });
      return id;
    },
    answer({ id, name }) {
      if (id !== undefined) {
        const known = byId.get(id);
        const call = known?.open.pop();
        if (call) call.isAnswered = true;
        return { toolCallId: id, toolName: call?.name ?? known?.name ?? name ?? "unknown" };
      }
      const call = oldestOpen(name === undefined ? asked : byName.get(name));
      if (call) {
        call.isAnswered = true;
        return { toolCallId: call.id, toolName: call.name };
      }
      orphans += 1;
      return { toolCallId: `orphan-${orphans}`, toolName: name ?? "unknown" };
    },
  };
}

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

/**
 * Pairs results with calls by position: ids may be used again, so a result answers the nearest earlier call with its
 * id that is still open. A result without an id answers the oldest open call of its name, or, when it brings no name
 * either, the oldest open one.
 */
export function createCallLedger(): CallLedger {
  const asked: AskedCall[] = [];
  const byId = new Map<string, { readonly name: string; readonly open: AskedCall[] }>();
  let oldestOpen = 0;
  let orphans = 0;

  function oldest(name: string | undefined): AskedCall | undefined {
    while (asked[oldestOpen]?.isAnswered) oldestOpen += 1;
    for (let index = oldestOpen; index < asked.length; index += 1) {
      const call = asked[index];
      if (call && !call.isAnswered && (name === undefined || call.name === name)) return call;
    }
    return undefined;
  }

  return {
    ask({ name, id = `call-${asked.length}` }) {
      const call = { id, name, isAnswered: false };
      asked.push(call);
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
      const call = oldest(name);
      if (call) {
        call.isAnswered = true;
        return { toolCallId: call.id, toolName: call.name };
      }
      orphans += 1;
      return { toolCallId: `orphan-${orphans}`, toolName: name ?? "unknown" };
    },
  };
}

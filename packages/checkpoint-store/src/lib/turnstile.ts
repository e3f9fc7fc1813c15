/** Lets one action through at a time, in the order in which they came; a failed one does not hold up the next. */
export function createTurnstile(): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (action) => {
    const turn = last.then(action);
    last = turn.catch(() => undefined);
    return turn;
  };
}

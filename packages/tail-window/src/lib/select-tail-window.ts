import { checkedRole, checkedTokens, refuse } from "./checked-input.ts";
import { dealOut } from "./deal-out.ts";
import type { Entry, Fit, Link } from "./entry.ts";
import type { Omission, SelectOptions, TailWindow } from "./tail-window.ts";

/**
 * The newest messages that fit the budget: contiguous, every role, no tool result without its call and no call without
 * its result. The message or exchange that would end the window is kept shortened when more than half of the budget
 * would stay unused, and always when it is the newest. An anchor is kept also where nothing behind it can be.
 *
 * The window is empty only when there is nothing to keep or the newest message cannot be made short enough, as may be
 * with a budget under 64, or 96 with an anchor. Leading system messages come first and cost nothing.
 * Each message of the window and of the unit that ends it is counted once, a shortened one up to eight times more; again
 * where it is tried again, as are what is pinned, the anchor, and a message with results beside other content when the
 * walk reaches their calls. Nothing older is read, except back to the request for an `anchor` and everything for `pinned`.
 *
 * @throws TypeError or RangeError that names the option and its value, or the message by its index: an option that is
 * no number of tokens, a counter that throws or returns one that is none, an unknown role, an anchor that is not there.
 */
export function selectTailWindow<M>(messages: readonly M[], options: NoInfer<SelectOptions<M>>): TailWindow<M> {
  const anchorCeilingTokens = 20_000;
  /** What a message may count: an infinite budget is one, an infinite count is none. */
  const largestCount = 1e15;
  /** Tokens above its shortest form that each message of a unit gets before one of them gets more. */
  const readableTokens = 64;
  const { shape, pinned, anchor, budgetTokens, anchorMaxTokens = anchorCeilingTokens } = options;
  if (!shape) refuse("shape", shape);
  const half = checkedTokens("budgetTokens", budgetTokens) / 2;
  checkedTokens("anchorMaxTokens", anchorMaxTokens);
  /** By index + 1, so that the values are in the order of the list, an anchor that is not of it first. */
  const entries: Record<number, Entry<M>> = {};
  const counts = new Map<M, number>();
  /** By what was made shorter. */
  const shortest = new Map<M, M>();
  /** Results whose call was not read yet, by id. */
  const waiting = new Map<string, Link<M>[]>();
  let leftTokens = half;
  let firstIndex = 0;
  let index = messages.length;
  let newest: Entry<M> | undefined;
  let goal: Entry<M> | undefined;
  let anchorIndex: number | undefined;

  /** Counts each object once. Names the message by its index where the counter throws or miscounts. */
  const count = (message: M, entry: Entry<M>): number => {
    let tokens: unknown = counts.get(message);
    if (tokens === undefined) {
      const name = `countTokens of message ${entry.index}`;
      try {
        tokens = options.countTokens(message);
      } catch (error) {
        refuse(name, error);
      }
      counts.set(message, checkedTokens(name, tokens, largestCount));
    }
    return tokens as number;
  };

  const read = (index: number, original = messages[index] as M): Entry<M> => {
    let entry = entries[index + 1];
    if (!entry) {
      checkedRole(original, index, shape);
      const isDiscarded = shape.isDiscarded?.(original);
      const toLink = (id: string): Link<M> => ({ id });
      const calls = shape.toolCallIds(original).map(toLink).reverse();
      const results = isDiscarded ? [] : shape.toolResultIds(original).map(toLink);
      entry = {
        index,
        original,
        message: isDiscarded ? undefined : (shape.withoutBlankText?.(original) ?? original),
        calls,
        results,
        reason: isDiscarded ? "discarded" : calls[0] ? "unanswered_call" : results[0] ? "orphaned_result" : "empty",
        rank: results[0] ? 2 : 1,
        tokens: 0,
      };
      entries[index + 1] = entry;
    }
    return entry;
  };

  /** What to take out: calls without a result, results without a call. */
  const unpaired = (links: readonly Link<M>[]) => links.flatMap((link) => (link.caller ? [] : link.id));

  /**
   * Those of the unit, newest first, of which something can be kept. What has no counterpart is taken out, what is then
   * blank or only reasoning goes too, and a message whose shape cannot take it out goes whole. A pair that breaks changes
   * two messages, which may break others. `isBare` leaves reasoning out.
   */
  const keepable = (unit: readonly Entry<M>[], isBare: boolean): readonly Fit<M>[] => {
    let isStable = true;
    let next: M | undefined;
    const some = unit.filter((entry): entry is Fit<M> => {
      let long = entry.message;
      if (isBare && shape.withoutReasoning) long &&= entry.bare ??= shape.withoutReasoning(long);
      const lostCalls = unpaired(entry.calls);
      const lostResults = unpaired(entry.results);
      if (lostCalls.length) long &&= shape.withoutToolCalls?.(long, lostCalls);
      if (lostResults.length) long &&= shape.withoutToolResults?.(long, lostResults);
      if (
        long &&
        !entry.calls[lostCalls.length] &&
        !entry.results[lostResults.length] &&
        (shape.role(long) === "tool" ||
          (shape.isEmpty?.(long) && !(next && shape.joinsNext?.(long, next) && !shape.withoutReasoning?.(long))))
      ) {
        long = undefined;
      }
      if (!long || long !== entry.message) {
        const ids = new Set(long && [...shape.toolCallIds(long), ...shape.toolResultIds(long)]);
        for (const link of [...entry.calls, ...entry.results]) {
          if (link.caller && !ids.has(link.id)) {
            link.caller = undefined;
            isStable = false;
          }
        }
      }
      if (long) next = (entry as Fit<M>).long = long;
      return !!long;
    });
    return isStable ? some : keepable(unit, isBare);
  };

  /** Of a message whose calls are about to run nothing is shortened. */
  const shorten = (entry: Fit<M>, maxTokens: number): M =>
    (entry.rank && shape.shorten?.(entry.long, maxTokens, (draft) => count(draft, entry))) || entry.long;

  /**
   * Pays for what is kept of a unit, whose messages stand newest first. Tells whether older messages may follow. What
   * does not fit loses in this order: pictures of results and text, its reasoning, its oldest calls. With fewer of its
   * calls than `fewest` it is not kept; `Infinity`: it is not shortened at all.
   */
  const keep = (unit: readonly Entry<M>[], links: readonly Link<M>[], fewest: number, most = links.length): boolean => {
    for (let step = 0; ; step++) {
      for (const link of links.slice(most)) link.caller = undefined;
      const some = keepable(unit, step > 1);
      let spare = leftTokens;
      for (const entry of some) {
        const long = entry.long;
        entry.reason = "budget";
        let draft = long;
        if (step) draft = shortest.get(long) ?? shorten(entry, 0);
        // A marker may cost more than what it stands for. What lost calls has been counted often enough.
        if (step < 3 && count(draft, entry) > count(long, entry)) draft = long;
        if (step) shortest.set(long, draft);
        entry.given = count(draft, entry);
        spare += entry.tokens - entry.given;
      }
      if (spare >= 0) {
        for (const entry of some) {
          // A message that lost calls has been counted often enough.
          entry.wanted = step > 2 && entry.calls[0] ? 0 : Math.max(0, count(entry.long, entry) - entry.given);
        }
        if (step) dealOut(some, spare, readableTokens);
        for (const entry of some) {
          const long = entry.long;
          const longer = entry.wanted ? shorten(entry, entry.given) : long;
          entry.kept = count(longer, entry) > entry.given ? (shortest.get(long) ?? long) : longer;
          entry.shortened = entry.kept !== long;
          leftTokens += entry.tokens - count(entry.kept, entry);
          entry.tokens = count(entry.kept, entry);
        }
        // Where only a picture was lost the window goes on: text would have been kept to fill the room.
        return !step || (step < 2 && leftTokens > half);
      }
      if (!shape.shorten || fewest > 1 || (step > 1 && most <= fewest)) return false;
      if (step > 1) {
        // Fewer than would fit if all took the same, then no more than must be.
        most = step > 2 ? fewest : Math.max(1, (0.75 * most * leftTokens) / (leftTokens - spare));
      }
    }
  };

  /** Keeps the message alone: nothing that it calls or answers is beside it. */
  const keepAhead = (entry: Entry<M>) => keep([entry], [...entry.calls, ...entry.results], 0, 0);

  while (firstIndex < index && checkedRole(messages[firstIndex] as M, firstIndex, shape) === "system") firstIndex += 1;
  const keptMessages = messages.slice(0, firstIndex);
  for (let at = index; pinned && at-- > firstIndex; ) if (pinned(messages[at] as M)) keepAhead(read(at));
  leftTokens += half;

  if (anchor) {
    const isRequest = (message: M, at: number): boolean =>
      checkedRole(message, at, shape) === "user" &&
      (shape.isRequest?.(message) ?? !shape.toolResultIds(message)[0]) &&
      !shape.isDiscarded?.(message) &&
      !shape.isEmpty?.(message);
    const {
      message,
      index: at = message
        ? messages.lastIndexOf(message)
        : anchor === "latest-request"
          ? messages.findLastIndex(isRequest)
          : refuse("anchor", anchor),
    } = anchor as { readonly index?: number; readonly message?: M };
    if (at in keptMessages) anchorIndex = at;
    else if (message || at in messages) goal = read(at, message);
    else if (at !== -1) refuse("anchor", at);
    if (goal && !goal.kept) {
      // It pays its whole share even when it is made shorter than that: so a larger budget never keeps less.
      goal.tokens = Math.floor(
        Math.min(count(goal.original, goal), budgetTokens / 3, anchorMaxTokens, anchorCeilingTokens),
      );
      leftTokens -= goal.tokens;
    }
  }

  while (index > firstIndex) {
    const unit: Record<number, Entry<M>> = {};
    const links: Link<M>[] = [];
    do {
      const entry = read(--index);
      unit[index] = entry;
      const running = shape.answeredOnSend?.(entry.original, messages.at(-1) as M);
      if (running?.length) entry.rank = 0;
      // A call takes the nearest result behind it with its id that no nearer call took.
      entry.calls = entry.calls.map((call) => {
        const link = waiting.get(call.id)?.pop() ?? call;
        if (running?.includes(link.id)) link.answer ??= read(messages.length - 1);
        const answer = link.answer;
        if (answer) {
          link.caller = entry;
          links.push(link);
          unit[answer.index] = answer;
          // What is discarded takes its results with it.
          if (!entry.message) answer.reason = "discarded";
        }
        return link;
      });
      for (const link of entry.results) {
        link.answer = entry;
        waiting.get(link.id)?.push(link) || waiting.set(link.id, [link]);
      }
    } while (index > firstIndex && shape.joinsNext?.(messages[index - 1] as M, messages[index] as M));
    const members = Object.values(unit).reverse();
    // Also where a newer message was kept before its result was found to be the newest of all.
    const isNewest = !newest || (members[0] as Entry<M>).index >= newest.index;
    if (!keep(members, links, isNewest ? 0 : leftTokens > half ? 1 : Infinity)) break;
    newest ??= members.find(({ kept }) => kept);
  }
  if (goal && !goal.kept) {
    leftTokens = 0;
    keepAhead(goal);
  }

  const omitted: Omission[] = [];
  const shortened: number[] = [];
  const repaired: number[] = [];
  let tokens = 0;
  let startIndex = messages.length;
  for (const entry of Object.values(entries)) {
    const { index: at, kept } = entry;
    if (kept) {
      if (at >= index) startIndex = Math.min(startIndex, at);
      else if (entry === goal && at >= 0) anchorIndex = at;
      keptMessages.push(kept);
      tokens += entry.tokens;
      if (entry.shortened) shortened.push(at);
      else if (kept !== entry.original) repaired.push(at);
    } else if (at > startIndex) omitted.push({ index: at, reason: entry.reason });
  }
  return {
    messages: keptMessages,
    tokens,
    startIndex,
    anchorIndex,
    omitted,
    shortened,
    repaired,
  };
}

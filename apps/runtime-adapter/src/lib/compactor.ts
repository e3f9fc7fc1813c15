import type { DerivedBudgets } from "@holdfast/fallback-policy/budgets";
import type { Message } from "@holdfast/message-schema";
import { isDiscarded } from "./boundary.ts";
import { budgetsOf, checkOptions } from "./check-options.ts";
import { createCheckpointChain } from "./checkpoint-chain.ts";
import { CompactionError, type CompactionErrorCode } from "./compaction-error.ts";
import type { CompactionTrigger } from "./compaction-plan.ts";
import type { CompactionReport } from "./compaction-report.ts";
import type { CompactorOptions, ConversationModel, PreparedRequest, RequestInput } from "./compactor-options.ts";
import { type CompactorEventName, type CompactorListener, createEmitter } from "./events.ts";
import { isOpen } from "./limiter.ts";
import { createLimiterMemory } from "./limiter-memory.ts";
import { overheadOf } from "./overhead.ts";
import { reminderFor } from "./reminder.ts";
import { type RunnerParts, runCompaction } from "./run-compaction.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { createTranscriptCheck } from "./transcript-check.ts";

export interface Compactor {
  /** What the next model request holds, compacted first when it is due. Throws only for misuse, and says what it got. */
  prepareRequest(input: RequestInput): Promise<PreparedRequest>;
  /** Call when a turn has ended: compacts if it is due, so that the next prompt does not wait for it. */
  endTurn(input: RequestInput): Promise<CompactionReport | undefined>;
  /** Compacts now, at the end of a turn. Never falls back: throws `CompactionError` and changes nothing. */
  compact(input: RequestInput): Promise<CompactionReport>;
  /** After a provider refused a request as too large: one compaction and the request to retry with. A second time is final. */
  recoverFromOverflow(input: RequestInput): Promise<PreparedRequest>;
  /**
   * The model asked for a new window: compacts before the next request. When nothing is new, or too little was added since
   * the last attempt failed, the next request's `compaction` says `unchanged`.
   */
  requestNewContext(): void;
  /** The conversation goes on with another model: every budget is derived anew, and the next request fits it. */
  setModel(model: ConversationModel): void;
  readonly budgets: DerivedBudgets;
  on<Name extends CompactorEventName>(name: Name, listener: CompactorListener<Name>): () => void;
  /** Forgets listeners and refuses further calls. Nothing stored is touched. */
  dispose(): void;
}

/** Another writer may win as often as this within one call before it goes on with what is there. */
const CONFLICT_ROUNDS = 3;

/** A compaction that is to be made. */
interface Due {
  readonly trigger: CompactionTrigger;
  /** Less than 1 after an overflow proved the count wrong. */
  readonly limitFactor?: number | undefined;
}

/**
 * Puts itself between an agent's loop and its model. Everything it knows is in the transcript and the store.
 *
 * @throws TypeError or RangeError that names the option that cannot be used, and what it got.
 */
export function createCompactor(given: CompactorOptions): Compactor {
  const options = checkOptions(given);
  let { model } = options;
  let budgets = budgetsOf(model);
  const chain = createCheckpointChain(options.store, options.conversationId);
  const limiter = createLimiterMemory();
  const transcriptCheck = createTranscriptCheck();
  const emitter = createEmitter();
  const countMessage = (message: Message) => options.counter.countMessage(message);
  const partsNow = (): RunnerParts => ({
    ...options,
    model,
    chain,
    limiter,
    emitter,
    countMessage,
  });
  let running: Promise<CompactionReport> | undefined;
  let newContextRequested = false;
  let recovered: string | undefined;
  let disposed = false;

  /** Refuses misuse before anything else happens. */
  const admit = (input: RequestInput): void => {
    if (disposed) throw new CompactionError("disposed");
    transcriptCheck.check(input.messages);
  };

  const snapshotOf = async (input: RequestInput): Promise<Snapshot> => {
    if (disposed) throw new CompactionError("disposed");
    await chain.load();
    const overheadTokens = overheadOf(input, options.counter);
    const checkpoint = chain.current(input.messages);
    limiter.restore(checkpoint);
    return takeSnapshot({ messages: input.messages, overheadTokens, checkpoint, countMessage, model });
  };

  const runExclusively = async (snapshot: Snapshot, { trigger, limitFactor = 1 }: Due, input: RequestInput) => {
    const run = runCompaction(snapshot, partsNow(), {
      trigger,
      budgets,
      limitFactor,
      signal: input.signal,
      currentMessages: input.currentMessages,
    });
    running = run;
    try {
      return await run;
    } finally {
      running = undefined;
    }
  };

  const mayAsk = ({ transcript }: Snapshot) => isOpen(limiter.state(), transcript, countMessage);
  // While the limiter is closed nothing happens below the hard limit. A chain that cannot be read is due to be told of,
  // also when the request fits without it.
  const isDue = (snapshot: Snapshot) =>
    chain.readFailure() !== undefined ||
    snapshot.size.tokens >= budgets.hardLimit ||
    (snapshot.size.triggerTokens >= budgets.trigger && mayAsk(snapshot));
  const limitNow = () => (budgets.guessed ? Number.POSITIVE_INFINITY : budgets.hardLimit);

  const finish = (snapshot: Snapshot, compaction: CompactionReport | undefined): PreparedRequest => {
    const { tokens } = snapshot.size;
    const limit = limitNow();
    const reported = compaction === undefined ? {} : { compaction };
    if (tokens >= limit) {
      const reason = snapshot.overheadTokens >= limit ? "overhead_too_large" : "prompt_too_large";
      return { kind: "refused", reason, tokens, limit, ...reported };
    }
    const free = budgets.contextWindow - tokens - Math.floor(budgets.contextWindow / 50);
    const reminder = reminderFor(snapshot, budgets);
    return {
      kind: "send",
      messages: [...snapshot.system, ...snapshot.context],
      ...(reminder === undefined ? {} : { reminder }),
      tokens,
      limit,
      maxOutputTokens: budgets.guessed ? budgets.maxOutputTokens : Math.max(1, Math.min(budgets.maxOutputTokens, free)),
      ...reported,
    };
  };

  /** Compacts until it is no longer due, another writer stops winning, or nothing can be done. */
  const compactIfDue = async (input: RequestInput, dueNow: (snapshot: Snapshot) => Due | undefined) => {
    let snapshot = await snapshotOf(input);
    let report: CompactionReport | undefined;
    for (let round = 0; round < CONFLICT_ROUNDS; round += 1) {
      // Another waiter may be the first to start the next one: nothing is awaited between this and the start.
      while (running !== undefined && !input.signal?.aborted) {
        await untilSettled(running, input.signal);
        snapshot = await snapshotOf(input);
      }
      if (input.signal?.aborted) break;
      const due = dueNow(snapshot);
      if (due === undefined) break;
      const plannedWith = budgets;
      report = await runExclusively(snapshot, due, input);
      snapshot = await snapshotOf(input);
      // No newer record after a conflict: the boundary has left the branch, and asking again would not bring it back.
      const isOvertaken = report.outcome === "conflict" && chain.generation() !== report.generation;
      // A model that was changed meanwhile may take less than was planned for.
      if (!isOvertaken && (budgets === plannedWith || !isDue(snapshot))) break;
    }
    return { snapshot, report };
  };

  return {
    get budgets() {
      return budgets;
    },
    on: emitter.on,
    setModel: (next) => {
      budgets = budgetsOf(next);
      model = next;
    },
    dispose: () => {
      disposed = true;
      emitter.clear();
    },
    requestNewContext: () => {
      newContextRequested = true;
    },

    prepareRequest: async (input) => {
      admit(input);
      const asked = newContextRequested;
      newContextRequested = false;
      const { snapshot, report } = await compactIfDue(input, (current) => {
        if (isDue(current)) return { trigger: "automatic" };
        // While the limiter is closed the answer is `unchanged`, so that the host learns it.
        return asked ? { trigger: "new_context" } : undefined;
      });
      if (input.signal?.aborted) {
        newContextRequested ||= asked;
        return { kind: "aborted" };
      }
      return finish(snapshot, report);
    },

    endTurn: async (input) => {
      admit(input);
      const { report } = await compactIfDue(input, (current) => (isDue(current) ? { trigger: "end_turn" } : undefined));
      return report;
    },

    compact: async (input) => {
      admit(input);
      const snapshot = await snapshotOf(input);
      if (running !== undefined) throw new CompactionError("busy");
      const report = await runExclusively(snapshot, { trigger: "manual" }, input);
      const code = manualErrorCode(report);
      if (code !== undefined) throw new CompactionError(code, { cause: report.cause });
      return report;
    },

    recoverFromOverflow: async (input) => {
      admit(input);
      const failed = input.messages.at(-1)?.role === "assistant" ? input.messages.at(-1) : undefined;
      // The failed answer is left out: nothing of it may be sent again. So is one that failed before it.
      const end = input.messages.findLastIndex((message) => message !== failed && !isDiscarded(message));
      const retry = failed === undefined ? input : { ...input, messages: input.messages.slice(0, end + 1) };
      const prompt = retry.messages.at(-1)?.id;
      let limitFactor: number | undefined;
      let hasShrunk = false;
      const { snapshot, report } = await compactIfDue(retry, (current) => {
        if (limitFactor === undefined) {
          if (prompt === undefined || prompt === recovered) return undefined;
          recovered = prompt;
          // The provider proved the count wrong: plan with limits that are smaller by as much.
          limitFactor = Math.max(0.5, Math.min(1, current.size.tokens / budgets.contextWindow));
        } else {
          // Another writer was first, and its checkpoint may be enough.
          hasShrunk = current.size.tokens < budgets.hardLimit * limitFactor;
        }
        return hasShrunk ? undefined : { trigger: "overflow", limitFactor };
      });
      hasShrunk ||= report !== undefined && report.checkpoint !== null;
      if (!hasShrunk && input.signal?.aborted) {
        if (limitFactor !== undefined) recovered = undefined;
        return { kind: "aborted" };
      }
      if (!hasShrunk) {
        const { tokens } = snapshot.size;
        const reported = report === undefined ? {} : { compaction: report };
        return { kind: "refused", reason: "prompt_too_large", tokens, limit: limitNow(), ...reported };
      }
      const request = finish(snapshot, report);
      return request.kind === "send" && failed !== undefined ? { ...request, supersededMessageId: failed.id } : request;
    },
  };
}

function manualErrorCode(report: CompactionReport): CompactionErrorCode | undefined {
  switch (report.outcome) {
    case "summary":
    case "fresh_window":
    case "fallback":
    case "aborted":
      return undefined;
    case "conflict":
    case "store_failed":
      return report.outcome;
    case "refused":
      return "turn_active";
    case "unchanged":
      return report.failureReason ?? "limited";
    case "failed":
      return report.failureReason ?? "too_large";
    default:
      return report.outcome satisfies never;
  }
}

/** Waits for another caller's compaction; the waiter's own abort ends the waiting, not the compaction. */
async function untilSettled(running: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const settled = running.then(
    () => undefined,
    () => undefined,
  );
  if (signal === undefined) return settled;
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done);
    void settled.then(done);
  });
}

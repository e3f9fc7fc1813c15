import type { CheckpointStore } from "@holdfast/checkpoint-store";
import { createVirtualClock } from "@holdfast/chunked-summarizer";
import type { FallbackPolicy } from "@holdfast/fallback-policy";
import type { Message } from "@holdfast/message-schema";
import {
  CompactionError,
  type CompactionErrorCode,
  type CompactionReport,
  type CompactionStrategy,
  type Compactor,
  createCompactor,
  type PreparedRequest,
} from "@holdfast/runtime-adapter";
import type { TokenCounter } from "@holdfast/token-counter";
import { checkRequest } from "./check-request.ts";
import { createOfflineSummaryModel, type FailureKind } from "./offline-summary-model.ts";

/** The conversation of the store that a replay keeps its checkpoints under. */
export const REPLAYED_CONVERSATION = "replay";

export interface ReplayOptions {
  readonly counter: TokenCounter;
  readonly store: CheckpointStore;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly overheadTokens: number;
  /** Window of the summary model; default: the conversation's. */
  readonly summaryWindow?: number | undefined;
  readonly policy: FallbackPolicy;
  readonly strategy: CompactionStrategy;
  readonly failure: FailureKind;
  readonly failFrom: number;
  readonly failChunk?: number | undefined;
  /** 1-based request before which a manual compaction is asked for. */
  readonly manualAt?: number | undefined;
  /** Told of every request as it would be sent. */
  readonly onRequest?: ((request: PreparedRequest, number: number) => void) | undefined;
}

/** One compaction of a replay and the request that followed it. */
export interface ReplayedCompaction {
  readonly index: number;
  /** 1-based number of the request it was made for. */
  readonly beforeRequest: number;
  readonly report: CompactionReport;
  /** What a manual compaction threw; it throws for every outcome that installs nothing. */
  readonly errorCode?: CompactionErrorCode | undefined;
  /** Tokens of the messages that the checkpoint keeps word for word; 0 when none was installed. */
  readonly retainedTokens: number;
  readonly request: PreparedRequest;
}

export interface Replay {
  readonly messages: number;
  readonly requests: number;
  readonly compactions: readonly ReplayedCompaction[];
  readonly invalidRequests: readonly { readonly request: number; readonly problems: readonly string[] }[];
  readonly overLimitRequests: readonly { readonly request: number; readonly tokens: number; readonly limit: number }[];
  readonly refusedRequests: readonly {
    readonly request: number;
    readonly reason: string;
    readonly tokens: number;
    readonly limit: number;
  }[];
}

/**
 * Feeds a recorded conversation through the runtime adapter turn by turn: a request before every assistant message that
 * follows a user message or a tool result. Usage recorded in the file belongs to another context and is left out.
 */
export async function replayConversation(recorded: readonly Message[], options: ReplayOptions): Promise<Replay> {
  const messages = recorded.map(withoutUsage);
  const offline = createOfflineSummaryModel({
    contextWindow: options.summaryWindow ?? options.contextWindow,
    maxOutputTokens: options.maxOutputTokens,
    failure: options.failure,
    failFrom: options.failFrom,
    failChunk: options.failChunk,
  });
  const compactor = createCompactor({
    model: { contextWindow: options.contextWindow, maxOutputTokens: options.maxOutputTokens },
    summaryModel: offline.model,
    counter: options.counter,
    policy: options.policy,
    strategy: options.strategy,
    store: options.store,
    conversationId: REPLAYED_CONVERSATION,
    clock: createVirtualClock(),
    random: () => 0,
  });
  compactor.on("compaction_start", offline.compactionStarts);
  compactor.on("compaction_progress", ({ link }) => offline.linkStarts(link));

  const compactions: ReplayedCompaction[] = [];
  const invalidRequests: Replay["invalidRequests"][number][] = [];
  const overLimitRequests: Replay["overLimitRequests"][number][] = [];
  const refusedRequests: Replay["refusedRequests"][number][] = [];
  let requests = 0;
  for (const index of requestPositions(messages)) {
    requests += 1;
    const input = { messages: messages.slice(0, index), overheadTokens: options.overheadTokens };
    const attempts = requests === options.manualAt ? [await compactManually(compactor, input)] : [];
    const request = await compactor.prepareRequest(input);
    options.onRequest?.(request, requests);
    if (request.kind !== "aborted" && request.compaction !== undefined) attempts.push({ report: request.compaction });
    for (const attempt of attempts) {
      const retainedTokens = options.counter.countMessages(attempt.report.checkpoint?.retainedTail ?? []);
      const index = compactions.length + 1;
      compactions.push({ index, beforeRequest: requests, ...attempt, retainedTokens, request });
    }
    if (request.kind === "refused") {
      const { reason, tokens, limit } = request;
      refusedRequests.push({ request: requests, reason, tokens, limit });
    }
    if (request.kind !== "send") continue;
    const problems = checkRequest(request.messages);
    if (problems.length > 0) invalidRequests.push({ request: requests, problems });
    const tokens = options.overheadTokens + options.counter.countMessages(request.messages);
    if (tokens >= request.limit) overLimitRequests.push({ request: requests, tokens, limit: request.limit });
  }
  compactor.dispose();
  return { messages: messages.length, requests, compactions, invalidRequests, overLimitRequests, refusedRequests };
}

function requestPositions(messages: readonly Message[]): number[] {
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]?.role;
    return message.role === "assistant" && (before === "user" || before === "toolResult") ? [index] : [];
  });
}

function withoutUsage(message: Message): Message {
  if (message.role !== "assistant" || message.usage === undefined) return message;
  const { usage: _, ...rest } = message;
  return rest;
}

/** A manual compaction throws when it fails; a replay reports it like every other. */
async function compactManually(
  compactor: Compactor,
  input: { messages: readonly Message[]; overheadTokens: number },
): Promise<Pick<ReplayedCompaction, "report" | "errorCode">> {
  let ended: CompactionReport | undefined;
  const off = compactor.on("compaction_end", (report) => {
    ended = report;
  });
  try {
    return { report: await compactor.compact(input) };
  } catch (error) {
    if (error instanceof CompactionError && ended !== undefined) return { report: ended, errorCode: error.code };
    throw error;
  } finally {
    off();
  }
}

import {
  type SummaryAnswer,
  type SummaryModel,
  SummaryModelError,
  type SummaryRequest,
} from "@holdfast/chunked-summarizer";

/** Ways a summary request can fail, as the command names them. */
export const FAILURE_KINDS = [
  "none",
  "provider",
  "empty",
  "cutoff",
  "refusal",
  "tool-call",
  "timeout",
  "overflow",
  "oversized",
  "budget",
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface OfflineModelOptions {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly failure: FailureKind;
  /** 1-based number of the first compaction that fails. */
  readonly failFrom: number;
  /** 1-based link of the chain that fails, in each failing compaction; every link when absent. */
  readonly failChunk?: number | undefined;
}

export interface OfflineSummaryModel {
  readonly model: SummaryModel;
  /** Call when a compaction starts, and again with the number of the link that is about to be sent. */
  compactionStarts(): void;
  linkStarts(link: number): void;
}

/**
 * A summary model that needs no network: it answers with a fixed form that says how much it was given, or fails as it
 * was told to. A model this small cannot plan a request, which is how a `budget` failure is made.
 */
export function createOfflineSummaryModel(options: OfflineModelOptions): OfflineSummaryModel {
  let compaction = 0;
  let link = 1;
  const isFailing = () => compaction >= options.failFrom && (options.failChunk ?? link) === link;
  const model: SummaryModel = {
    get contextWindow() {
      return options.failure === "budget" && compaction >= options.failFrom ? 512 : options.contextWindow;
    },
    maxOutputTokens: options.maxOutputTokens,
    providerId: "offline",
    modelId: "scripted",
    complete: async (request, { signal }) => {
      const good = answer(request, compaction, link);
      return isFailing() ? fail(options, good, signal) : good;
    },
  };
  return {
    model,
    compactionStarts: () => {
      compaction += 1;
      link = 1;
    },
    linkStarts: (number) => {
      link = number;
    },
  };
}

function answer(request: SummaryRequest, compaction: number, link: number): SummaryAnswer {
  const text = [
    "## Goal",
    "Stand in for a summary: this run is offline and asks no model.",
    "",
    "## Progress",
    `- Compaction ${compaction}, request ${link} was given ${request.prompt.length} characters of the conversation.`,
    "",
    "## Next steps",
    "- Go on with the latest request.",
  ].join("\n");
  return { text, stopReason: "stop", usage: { inputTokens: Math.ceil(request.prompt.length / 4), outputTokens: 64 } };
}

function fail(
  { failure, contextWindow }: OfflineModelOptions,
  good: SummaryAnswer,
  signal: AbortSignal,
): SummaryAnswer | Promise<SummaryAnswer> {
  switch (failure) {
    case "provider":
      throw new SummaryModelError("transport", { status: 503 });
    case "overflow":
    case "budget":
      throw new SummaryModelError("overflow", { status: 400 });
    case "empty":
      return { text: " \n", stopReason: "stop" };
    case "cutoff":
      return { ...good, text: good.text.slice(0, -12), stopReason: "length" };
    case "refusal":
      return { text: "I am sorry, but I cannot help with that.", stopReason: "refusal" };
    case "tool-call":
      return { text: "", stopReason: "tool" };
    case "oversized":
      // A line is more than four tokens: this fills the whole window.
      return { ...good, text: `${good.text}\n${"- One more line that nobody needs.\n".repeat(contextWindow / 4)}` };
    case "timeout":
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    case "none":
      return good;
    default:
      return failure satisfies never;
  }
}

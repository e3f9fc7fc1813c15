export interface SummaryModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface SummaryRequest {
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
}

export interface SummaryAnswer {
  readonly text: string;
  /** Only an answer that ended by itself, `stop`, can be a summary. `other`: it is not known how it ended. */
  readonly stopReason: "stop" | "length" | "tool" | "refusal" | "other";
  readonly usage?: SummaryModelUsage | undefined;
}

/** The only thing a user implements. One call is one request: the library's own retries are switched off. */
export interface SummaryModel {
  /** Tokens the model reads and writes in one request. */
  readonly contextWindow: number;
  /** Tokens the model can write in one answer. */
  readonly maxOutputTokens: number;
  readonly providerId?: string | undefined;
  readonly modelId?: string | undefined;
  /** Throws `SummaryModelError`; anything else that is thrown counts as `rejected`. */
  complete(request: SummaryRequest, options: { readonly signal: AbortSignal }): Promise<SummaryAnswer>;
}

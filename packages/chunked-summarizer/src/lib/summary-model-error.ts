export type SummaryModelErrorKind = "transport" | "overflow" | "filtered" | "rejected";

/** Why a request got no answer. Its message is for the host alone and is never stored or sent. */
export class SummaryModelError extends Error {
  override readonly name = "SummaryModelError";
  readonly kind: SummaryModelErrorKind;
  readonly status: number | undefined;
  /** What the provider asked to wait, in milliseconds; 0, a negative value or no number is no wish. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: SummaryModelErrorKind,
    details: { status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(`summary request failed: ${kind}`, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Token budgets of a model. Every number is derived: there is nothing to configure to be safe. */
export interface Budgets {
  /** Tokens of the context window, `W`. */
  readonly contextWindow: number;
  /** Tokens the model can write in one answer, `O`. */
  readonly maxOutputTokens: number;
  /** What stays free for the answer: `W - hardLimit`. */
  readonly headroom: number;
  /** No conversation request is sent at or above it, unless the window was guessed (`DerivedBudgets.guessed`). */
  readonly hardLimit: number;
  /** Automatic compaction starts here. */
  readonly trigger: number;
  /** Most that the recent window of a fallback takes, anchor and ledger included. */
  readonly keepRecent: number;
  /** Most that the one user message kept beside a summary takes. */
  readonly retainedUserMax: number;
  /** Most that a summary takes. */
  readonly summaryMax: number;
}

export interface ModelLimits {
  /** Tokens the model reads and writes in one request. Unknown: guessed as 32,768. */
  readonly contextWindow?: number | undefined;
  /** Tokens the model can write in one answer. Unknown: 16,384, at most a quarter of the window. */
  readonly maxOutputTokens?: number | undefined;
}

export interface DerivedBudgets extends Budgets {
  /**
   * The window was not known. The numbers then decide when a compaction starts and how much it keeps, and nothing
   * else: whoever sends requests neither holds them back at `hardLimit` nor refuses one.
   */
  readonly guessed: boolean;
  /** What was assumed, a sentence each; empty when both numbers were given and fit together. */
  readonly warnings: readonly string[];
}

const GUESSED_WINDOW = 32_768;
const USUAL_MAX_OUTPUT = 16_384;

/**
 * The budgets of a model. An output limit at or above a known window is what catalogues write for "no limit of its
 * own": it counts as a quarter of the window, with a warning.
 *
 * @throws RangeError when a number is given that is no positive integer; the message names it.
 */
export function deriveBudgets(model: ModelLimits): DerivedBudgets {
  const guessed = model.contextWindow === undefined;
  const window = positiveInteger("contextWindow", model.contextWindow ?? GUESSED_WINDOW);
  const quarter = Math.floor(window / 4);
  const saidOutput = positiveInteger(
    "maxOutputTokens",
    model.maxOutputTokens ?? Math.max(1, Math.min(USUAL_MAX_OUTPUT, quarter)),
  );
  // A guess is no reason to doubt a limit that was given.
  const outputIsWindow = !guessed && model.maxOutputTokens !== undefined && saidOutput >= window;
  const output = outputIsWindow ? quarter : saidOutput;

  const warnings: string[] = [];
  if (guessed) {
    warnings.push(
      `The context window is not known and is guessed as ${window} tokens. The guess starts compactions; it holds no request back.`,
    );
  }
  if (outputIsWindow) {
    warnings.push(
      `maxOutputTokens (${saidOutput}) is not below contextWindow (${window}): taken as "no limit of its own", ${output} tokens.`,
    );
  }

  const headroom = Math.min(
    window - 1,
    Math.max(Math.min(USUAL_MAX_OUTPUT, quarter), Math.min(output, quarter), Math.ceil(window / 20)),
  );
  const hardLimit = window - headroom;
  return {
    contextWindow: window,
    maxOutputTokens: output,
    headroom,
    hardLimit,
    trigger: Math.floor((hardLimit * 9) / 10),
    keepRecent: Math.min(clamp(Math.floor(hardLimit / 5), 8000, 64_000), Math.floor(hardLimit / 2)),
    retainedUserMax: Math.min(20_000, Math.floor(hardLimit / 2)),
    summaryMax: Math.min(output, clamp(Math.floor(window / 16), 1024, 8192)),
    guessed,
    warnings,
  };
}

function positiveInteger(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${name} must be a positive integer of tokens, got ${String(value)}`);
  }
  return value;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest);
}

/** What was counted for a request, and what the provider said it was. Both in tokens. */
export interface UsageObservation {
  readonly counted: number;
  readonly reported: number;
}

/** How far a counter is off for one model. Plain data: an observation makes a new one of it. */
export interface Calibration {
  /** What to multiply counts with: 1 for a counter that is right. Never outside 0.5 to 3. */
  readonly factor: number;
  /** The reports above the factor, divided by their counts, since the last one that was not: at most two. */
  readonly above: readonly number[];
}

/** A report outside these measured another context than the one that was counted: it is ignored. */
const MIN_FACTOR = 0.5;
const MAX_FACTOR = 3;
/** So many reports in a row must lie above the factor before it rises. */
const REPORTS_TO_RISE = 3;
/** The share of the way down that one report takes the factor. */
const FALL_PER_REPORT = 0.1;

/**
 * Begins without observations. `factor` is one that was stored, for a conversation that goes on; default 1, also for
 * anything that is no positive number; clamped to 0.5 to 3.
 */
export function createCalibration(factor: number = 1): Calibration {
  return { factor: factor > 0 ? Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, factor)) : 1, above: [] };
}

/**
 * Learns from one answer. Three reports in a row above the factor raise it to the lowest of them, so that one odd answer
 * raises nothing; a report below it lowers it by a tenth of the way, because to count too little is the costlier error.
 * A report under 0.5 or over 3 times the count, or with a number that is not above 0, leaves everything as it was.
 */
export function observeUsage(calibration: Calibration, { counted, reported }: UsageObservation): Calibration {
  const ratio = counted > 0 ? reported / counted : 0;
  if (!(ratio >= MIN_FACTOR && ratio <= MAX_FACTOR)) return calibration;

  if (ratio <= calibration.factor) {
    return { factor: calibration.factor + (ratio - calibration.factor) * FALL_PER_REPORT, above: [] };
  }
  const above = [...calibration.above, ratio];
  if (above.length < REPORTS_TO_RISE) return { factor: calibration.factor, above };
  return { factor: Math.min(...above), above: [] };
}

/** More than a factor and a product of it can be off by: ten times 1.1 is 11, not what lies above 11.000000000000002. */
const ROUNDING_ERROR = 2 ** -50;

/** A count as the provider would report it, rounded up. 0 for 0. */
export function calibrateTokens(tokens: number, calibration: Calibration): number {
  return Math.ceil(tokens * calibration.factor * (1 - ROUNDING_ERROR));
}

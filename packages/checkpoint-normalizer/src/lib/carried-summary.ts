import type { Checkpoint } from "./checkpoint.ts";
import { stripRecoveryNotice } from "./recovery-notice.ts";

/**
 * The newest summary a model wrote, unshortened and without recovery notices; `undefined` when there is none. After a
 * `fresh_window` there is none: it gave the past up on purpose.
 */
export function carriedSummary(checkpoint: Checkpoint | undefined): string | undefined {
  if (checkpoint === undefined || checkpoint.details.strategy === "fresh_window") return undefined;
  const summary = checkpoint.details.carriedSummary ?? checkpoint.summary;
  const text = summary === null ? "" : stripRecoveryNotice(summary);
  return text === "" ? undefined : text;
}

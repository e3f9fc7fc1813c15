import { RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "@holdfast/checkpoint-normalizer";

/** A recovery notice: the lines between the fixed marks by which a later reader finds and removes it. */
export function markedNotice(lines: readonly string[]): string {
  return [RECOVERY_NOTICE_START, ...lines, RECOVERY_NOTICE_END].join("\n");
}

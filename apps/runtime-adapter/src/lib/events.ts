import type { CompactionPlan, CompactionTrigger } from "./compaction-plan.ts";
import type { CompactionReport } from "./compaction-report.ts";

export interface CompactorEvents {
  /** A compaction begins: nothing is written yet. */
  readonly compaction_start: { readonly trigger: CompactionTrigger; readonly plan: CompactionPlan };
  /** A summary request is about to be sent: link n of m. */
  readonly compaction_progress: {
    readonly link: number;
    readonly links: number;
    readonly requests: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  /**
   * It ended, whatever the outcome; the new state, if there is one, is installed. With no start before it when there was
   * nothing to begin: `unchanged`, `refused`, a chain that could not be read, or no room for a checkpoint.
   */
  readonly compaction_end: CompactionReport;
}

export type CompactorEventName = keyof CompactorEvents;
export type CompactorListener<Name extends CompactorEventName> = (event: CompactorEvents[Name]) => void;

/** Listeners by event. A listener that throws does not reach the compaction: its error is thrown in a task of its own. */
export function createEmitter() {
  const listeners = new Map<CompactorEventName, Set<(event: never) => void>>();
  return {
    on<Name extends CompactorEventName>(name: Name, listener: CompactorListener<Name>): () => void {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    emit<Name extends CompactorEventName>(name: Name, event: CompactorEvents[Name]): void {
      for (const listener of listeners.get(name) ?? []) {
        try {
          (listener as CompactorListener<Name>)(event);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    clear: () => listeners.clear(),
  };
}

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
/** Called at once, and not waited for. What it throws is written to the console and goes no further. */
export type CompactorListener<Name extends CompactorEventName> = (event: CompactorEvents[Name]) => void;

/**
 * Listeners by event. One that throws, or whose promise rejects, harms neither the compaction nor the other listeners nor
 * the process: its error is written to the console.
 */
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
        // An asynchronous function is taken for a listener too, and its rejection would end the process.
        const call = async () => (listener as CompactorListener<Name>)(event);
        call().catch((error: unknown) => console.error(`a listener of ${name} failed:`, error));
      }
    },
    clear: () => listeners.clear(),
  };
}

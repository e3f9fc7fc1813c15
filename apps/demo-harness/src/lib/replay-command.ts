import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createTokenCounter } from "@holdfast/token-counter";
import { CommandError } from "./command-error.ts";
import { openTranscript, pickConversation } from "./open-conversation.ts";
import { openReplayStore } from "./open-replay-store.ts";
import type { Output } from "./output.ts";
import { REPLAYED_CONVERSATION, replayConversation } from "./replay.ts";
import { replayReport } from "./replay-report.ts";
import { type ReplaySettings, toReplayOptions } from "./replay-settings.ts";
import { describeReplay } from "./replay-text.ts";

export interface ReplayCommandOptions extends ReplaySettings {
  readonly conversation: number;
  readonly store?: string | undefined;
  readonly dump?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `holdfast replay FILE`. Returns the exit status: 1 when a request was invalid or over the limit, or a checkpoint could
 * not be stored.
 */
export async function replayCommand(path: string, options: ReplayCommandOptions, output: Output): Promise<number> {
  if (options.fail === "none" && (options.failFrom ?? options.failChunk) !== undefined) {
    throw new CommandError("--fail-from and --fail-chunk say what fails only together with --fail");
  }
  const file = await openTranscript(path, output);
  const conversation = pickConversation(file, options.conversation);
  using counter = await createTokenCounter();
  const store = options.store === undefined ? createMemoryStore() : await openReplayStore(options.store);
  const { length: found } = await store.list(REPLAYED_CONVERSATION);
  if (found > 0) output.note(`--store ${options.store}: goes on from the ${found} checkpoint records in it`);
  const replay = await replayConversation(conversation.messages, toReplayOptions(options, { counter, store }));
  if (options.json || options.dump) {
    output.json(replayReport(replay, { format: file.format, dump: options.dump === true }));
  } else {
    const { length } = file.conversations;
    if (length > 1) output.line(`Conversation ${options.conversation} of ${length}.`);
    for (const line of describeReplay(replay)) output.line(line);
  }
  const notStored = replay.compactions.filter(({ report }) => report.outcome === "store_failed");
  const [first] = notStored;
  if (first !== undefined) {
    const why = systemCode(first.report.cause);
    output.note(
      `--store ${options.store}: ${notStored.length} of ${replay.compactions.length} compactions not stored (${why})`,
    );
  }
  return replay.invalidRequests.length + replay.overLimitRequests.length + notStored.length > 0 ? 1 : 0;
}

/** The name the system has for a failure, such as `ENOSPC`: the innermost cause has it. */
function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.cause !== undefined) return systemCode(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

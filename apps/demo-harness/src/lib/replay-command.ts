import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { CheckpointStore } from "@holdfast/checkpoint-store";
import { createJsonlStore } from "@holdfast/checkpoint-store/jsonl";
import { createMemoryStore } from "@holdfast/checkpoint-store/memory";
import { createTokenCounter } from "@holdfast/token-counter";
import { CommandError } from "./command-error.ts";
import { openTranscript, pickConversation } from "./open-conversation.ts";
import type { Output } from "./output.ts";
import { replayConversation } from "./replay.ts";
import { replayReport } from "./replay-report.ts";
import { type ReplaySettings, toReplayOptions } from "./replay-settings.ts";
import { describeReplay } from "./replay-text.ts";

export interface ReplayCommandOptions extends ReplaySettings {
  readonly conversation: number;
  readonly store?: string | undefined;
  readonly dump?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `holdfast replay FILE`. Returns the exit status: 1 when a request was invalid or over the limit. */
export async function replayCommand(path: string, options: ReplayCommandOptions, output: Output): Promise<number> {
  const file = await openTranscript(path);
  const conversation = pickConversation(file, options.conversation);
  using counter = await createTokenCounter();
  const store = options.store === undefined ? createMemoryStore() : openStore(options.store);
  const replay = await replayConversation(conversation.messages, toReplayOptions(options, { counter, store }));
  if (options.json || options.dump) {
    output.json(replayReport(replay, { format: file.format, dump: options.dump === true }));
  } else {
    for (const line of describeReplay(replay)) output.line(line);
  }
  return replay.invalidRequests.length + replay.overLimitRequests.length > 0 ? 1 : 0;
}

/** The directory must be there; the file is made by the first checkpoint. */
function openStore(path: string): CheckpointStore {
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandError(`--store ${path}: the folder is not there`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`--store ${path}: is a folder`);
  return createJsonlStore(path);
}

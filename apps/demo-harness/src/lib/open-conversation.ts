import { type Conversation, readTranscript, TranscriptError, type TranscriptFile } from "@holdfast/transcripts";
import { CommandError } from "./command-error.ts";
import type { Output } from "./output.ts";

/** Reads a session file. What was set aside is noted, and so is the progress when it takes longer than a second. */
export async function openTranscript(path: string, output: Output): Promise<TranscriptFile> {
  const file = await read(path, output);
  if (file.conversations.every(({ messages }) => messages.length === 0)) {
    throw new CommandError(`${path}: holds no message that can be read`);
  }
  for (const { line, problem, action } of file.diagnostics) {
    output.note(`${path}${line === undefined ? "" : `:${line}`}: ${problem}; ${action}`);
  }
  return file;
}

async function read(path: string, output: Output): Promise<TranscriptFile> {
  const started = performance.now();
  let told = 0;
  try {
    return await readTranscript(path, {
      onProgress: (bytesRead, totalBytes) => {
        const seconds = (performance.now() - started) / 1000;
        if (seconds < told + 1) return;
        told = seconds;
        const share = totalBytes === undefined ? "" : ` of ${megabytes(totalBytes)}`;
        output.note(`reading ${path}: ${megabytes(bytesRead)}${share} MB`);
      },
    });
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    const hint = error.code === "unknown_format" ? "; `holdfast inspect --help` names those that can be read" : "";
    throw new CommandError(`${error.message}${hint}`);
  }
}

/** Conversation `number` of a file, 1 being the main one. */
export function pickConversation(file: TranscriptFile, number: number): Conversation {
  const conversation = file.conversations[number - 1];
  if (conversation === undefined) {
    throw new CommandError(`--conversation ${number}: the file holds ${file.conversations.length}`);
  }
  return conversation;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

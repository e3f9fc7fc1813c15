import { type Conversation, readTranscript, TranscriptError, type TranscriptFile } from "@holdfast/transcripts";
import { CommandError } from "./command-error.ts";

/** Reads a session file and says so on stderr when that takes longer than a second. */
export async function openTranscript(path: string): Promise<TranscriptFile> {
  const started = performance.now();
  let told = 0;
  try {
    return await readTranscript(path, {
      onProgress: (bytesRead, totalBytes) => {
        const seconds = (performance.now() - started) / 1000;
        if (seconds < told + 1) return;
        told = seconds;
        const share = totalBytes === undefined ? "" : ` of ${megabytes(totalBytes)}`;
        process.stderr.write(`reading ${path}: ${megabytes(bytesRead)}${share} MB\n`);
      },
    });
  } catch (error) {
    if (error instanceof TranscriptError) throw new CommandError(error.message);
    throw error;
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

import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLines } from "./read-lines.ts";
import { TranscriptError } from "./transcript-error.ts";

/** A path, the bytes themselves, or a stream of them. */
export type TranscriptInput = string | URL | Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Called as bytes come in; `totalBytes` is absent for a stream. */
export type ReadProgress = (bytesRead: number, totalBytes?: number) => void;

export interface TranscriptSource {
  /** How errors call the input. */
  readonly name: string;
  /** The lines, some at a time; of a directory, its files. Whoever reads them ends them with `return`. */
  readonly lines: AsyncGenerator<readonly Buffer[], void, void>;
}

const chunkBytes = 1 << 20;

/** Opens the input, so that what is wrong with a path is known before anything is read. */
export async function openSource(input: TranscriptInput, onProgress?: ReadProgress): Promise<TranscriptSource> {
  if (typeof input === "string" || input instanceof URL) return openPath(input, onProgress);
  if (input instanceof Uint8Array) {
    return { name: "input", lines: readLines(counted(slices(input), onProgress, input.byteLength)) };
  }
  if (typeof input === "object" && input !== null && Symbol.asyncIterator in input) {
    return { name: "input", lines: readLines(counted(input, onProgress)) };
  }
  throw new TypeError(`readTranscript takes a path, bytes or a stream of bytes, not ${typeof input}`);
}

async function openPath(path: string | URL, onProgress: ReadProgress | undefined): Promise<TranscriptSource> {
  const name = path instanceof URL ? fileURLToPath(path) : path;
  const found = await stat(name).catch((error: unknown) => {
    throw pathError(name, error);
  });
  if (found.isDirectory()) return { name, lines: eventFiles(name, await eventFileNames(name), onProgress) };
  const totalBytes = found.isFile() ? found.size : undefined;
  return { name, lines: readLines(counted(fileChunks(name), onProgress, totalBytes)) };
}

/** A directory is a session only when it holds one event a file, numbered in its name. */
async function eventFileNames(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw pathError(directory, error);
  });
  const events = names.filter((name) => /^event-.*\.json$/.test(name)).sort();
  if (events.length === 0) {
    throw new TranscriptError(
      "is_directory",
      `${directory}: a directory without event-*.json files, not a session file`,
    );
  }
  return events;
}

async function* eventFiles(directory: string, names: readonly string[], onProgress: ReadProgress | undefined) {
  let bytesRead = 0;
  for (const name of names) {
    const bytes = await readFile(join(directory, name)).catch((error: unknown) => {
      throw pathError(join(directory, name), error);
    });
    bytesRead += bytes.byteLength;
    onProgress?.(bytesRead);
    yield [bytes];
  }
}

async function* fileChunks(name: string): AsyncGenerator<Uint8Array> {
  const file = await open(name).catch((error: unknown) => {
    throw pathError(name, error);
  });
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafeSlow(chunkBytes);
      const { bytesRead } = await file.read(buffer, 0, chunkBytes).catch((error: unknown) => {
        throw pathError(name, error);
      });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onProgress: ReadProgress | undefined,
  totalBytes?: number,
): AsyncGenerator<Uint8Array> {
  let bytesRead = 0;
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError(`a stream of bytes gave ${typeof chunk}`);
    bytesRead += chunk.byteLength;
    onProgress?.(bytesRead, totalBytes);
    yield chunk;
  }
}

function pathError(name: string, error: unknown): TranscriptError {
  const systemCode = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (systemCode === "ENOENT" || systemCode === "ENOTDIR") {
    return new TranscriptError("not_found", `${name}: no such file`, { cause: error });
  }
  return new TranscriptError("unreadable", `${name}: cannot be read (${systemCode})`, { cause: error });
}

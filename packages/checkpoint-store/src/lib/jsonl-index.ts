import type { FileHandle } from "node:fs/promises";
import { readLine } from "./jsonl-line.ts";

const newline = 0x0a;
const chunkBytes = 1 << 20;

/** Where a record that counts stands in the file. */
export interface StoredRecord {
  readonly generation: number;
  readonly writeId: string;
  readonly startByte: number;
  readonly lengthBytes: number;
}

/** What is known of a file that only grows: which lines count, and how far it was read. */
export interface JsonlIndex {
  /**
   * Reads what was added since the last time. A file that became shorter, or another one that was put in its place, is
   * read from its beginning.
   */
  catchUp(file: FileHandle): Promise<void>;
  /** Oldest first. */
  records(conversationId: string): readonly StoredRecord[];
}

export interface JsonlIndexOptions {
  /** A line that is no record of a store, by the byte it starts at. */
  readonly onDamage: (startByte: number) => void;
}

/**
 * The rule by which every reader of a file comes to the same chain, whoever wrote it: a line counts when its generation
 * is above that of every line of its conversation before it. So of two writers of one generation the one whose line
 * stands first has won, without a lock that a killed process could leave behind.
 */
export function createJsonlIndex({ onDamage }: JsonlIndexOptions): JsonlIndex {
  const chains = new Map<string, StoredRecord[]>();
  let readBytes = 0;
  let fileNumber: number | undefined;

  const takeLine = (line: Buffer, startByte: number): void => {
    const read = readLine(line.toString("utf8"));
    if (read.kind === "blank") return;
    if (read.kind === "damaged") {
      onDamage(startByte);
      return;
    }
    const { conversationId, generation, writeId } = read;
    const chain = chains.get(conversationId) ?? [];
    if (generation <= (chain.at(-1)?.generation ?? 0)) return;
    chain.push({ generation, writeId, startByte, lengthBytes: line.length });
    chains.set(conversationId, chain);
  };

  return {
    async catchUp(file) {
      const { size, ino } = await file.stat();
      if (size < readBytes || ino !== fileNumber) {
        chains.clear();
        readBytes = 0;
        fileNumber = ino;
      }
      // Bytes of a line whose end has not been read yet, in the pieces they were read in.
      let begun: Buffer[] = [];
      let position = readBytes;
      while (position < size) {
        const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        let lineStart = 0;
        for (let end = chunk.indexOf(newline); end >= 0 && end < bytesRead; end = chunk.indexOf(newline, lineStart)) {
          const line = Buffer.concat([...begun, chunk.subarray(lineStart, end)]);
          takeLine(line, readBytes);
          readBytes += line.length + 1;
          begun = [];
          lineStart = end + 1;
        }
        begun.push(chunk.subarray(lineStart, bytesRead));
      }
    },
    records: (conversationId) => chains.get(conversationId) ?? [],
  };
}

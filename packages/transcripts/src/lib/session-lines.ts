import { createLineParser } from "./line-parser.ts";
import type { LineRecord, ReadReport } from "./transcript-reader.ts";

/** A format is told from the first lines; of long ones fewer do, once some are there. */
const sampleLines = 200;
const sampleBytes = 4 << 20;
const fewLines = 8;

/** A file that has been looked into: its first records, and ways to the rest. */
export interface SessionLines {
  readonly sample: readonly LineRecord[];
  /** All records, those of the sample first, some at a time. */
  records(): AsyncGenerator<readonly LineRecord[]>;
  /** All bytes. What was read so far is kept, so that `records` still gives all. */
  bytes(): Promise<Buffer>;
}

export async function openSessionLines(
  lines: AsyncIterable<readonly Buffer[]>,
  report: ReadReport,
): Promise<SessionLines> {
  const batches = lines[Symbol.asyncIterator]();
  const parse = createLineParser(report);
  const head: Buffer[] = [];

  /** Reads on until `isEnough`; false at the end of the file. */
  async function readHead(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      const batch = await batches.next();
      if (batch.done) return;
      for (const line of batch.value) head.push(line);
    }
  }

  function parseAll(raw: readonly Buffer[]): readonly LineRecord[] {
    return raw.map(parse).filter((record) => record !== undefined);
  }

  const headBytes = () => head.reduce((sum, line) => sum + line.length, 0);
  await readHead(() => head.length >= sampleLines || (head.length >= fewLines && headBytes() >= sampleBytes));
  const sample = parseAll(head.slice(0, sampleLines));

  return {
    sample,
    async *records() {
      yield sample;
      yield parseAll(head.slice(sampleLines));
      for (let batch = await batches.next(); !batch.done; batch = await batches.next()) yield parseAll(batch.value);
    },
    async bytes() {
      await readHead(() => false);
      return Buffer.concat(head.flatMap((line) => [line, Buffer.from("\n")]));
    },
  };
}

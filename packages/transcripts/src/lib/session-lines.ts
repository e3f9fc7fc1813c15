import { createLineParser, type ParsedLine } from "./line-parser.ts";
import type { ReadReport } from "./transcript-reader.ts";

/** A format is told from the first lines; of long ones fewer do, once some are there. */
const sampleLines = 64;
const sampleBytes = 4 << 20;
const fewLines = 8;

/** A file that has been looked into: its first records, and ways to the rest. */
export interface SessionLines {
  readonly sample: readonly ParsedLine[];
  /** All records, those of the sample first, some at a time. A line is parsed when its record is asked for. */
  records(): AsyncGenerator<Iterable<ParsedLine>>;
  /** All bytes. What was read so far is kept, so that `records` still gives all. */
  bytes(): Promise<Buffer>;
}

export async function openSessionLines(
  batches: AsyncIterator<readonly Buffer[]>,
  report: ReadReport,
): Promise<SessionLines> {
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

  function* parseEach(raw: readonly Buffer[]): Generator<ParsedLine> {
    for (const line of raw) {
      const record = parse(line);
      if (record) yield record;
    }
  }

  const headBytes = () => head.reduce((sum, line) => sum + line.length, 0);
  await readHead(() => head.length >= sampleLines || (head.length >= fewLines && headBytes() >= sampleBytes));
  const sample = [...parseEach(head.slice(0, sampleLines))];

  return {
    sample,
    async *records() {
      // What is read is let go of, so that only what the reader keeps stays in memory.
      yield sample.splice(0);
      yield parseEach(head.splice(0).slice(sampleLines));
      for (let batch = await batches.next(); !batch.done; batch = await batches.next()) yield parseEach(batch.value);
    },
    async bytes() {
      await readHead(() => false);
      return Buffer.concat(head.flatMap((line) => [line, Buffer.from("\n")]));
    },
  };
}

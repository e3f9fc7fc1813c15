import { builtInReaders } from "./built-in-readers.ts";
import { createLineParser, type LineParser } from "./line-parser.ts";
import { openSource, type ReadProgress, type TranscriptInput, type TranscriptSource } from "./open-source.ts";
import { type ParsedJson, parseJson } from "./parse-json.ts";
import { type CollectedReport, createReadReport } from "./read-report.ts";
import { TranscriptError } from "./transcript-error.ts";
import type { Conversation, TranscriptFile } from "./transcript-file.ts";
import type { DocumentReader, LineReader, LineRecord, TranscriptReader } from "./transcript-reader.ts";

export interface ReadTranscriptOptions {
  /** Asked before the built-in readers. Default: none. */
  readonly readers?: readonly TranscriptReader[] | undefined;
  readonly onProgress?: ReadProgress | undefined;
}

/** A format is told from this many lines, or from this many bytes once some lines are there. */
const sampleLines = 200;
const sampleBytes = 4 << 20;

/**
 * Reads a session file of any known format, which it tells by content. A file with one JSON value a line is read line
 * by line, and only what is kept of a line stays in memory; a file that is one JSON value is read whole.
 *
 * @throws {TranscriptError} when the input holds no transcript at all. Broken lines and unknown records throw nothing:
 * they become diagnostics.
 */
export async function readTranscript(
  input: TranscriptInput,
  options: ReadTranscriptOptions = {},
): Promise<TranscriptFile> {
  const readers = [...(options.readers ?? []), ...builtInReaders];
  const source = await openSource(input, options.onProgress);
  const batches = source.lines[Symbol.asyncIterator]();
  const head = await takeHead(batches);
  const byLine = await readByLine(head, batches, readers);
  if (byLine) return byLine;

  const lines = [...head, ...(await takeRest(batches))];
  const whole = parseJson(Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
  if (whole.kind === "value") return readDocument(whole.value, readers, source);
  return readRows(lines, readers) ?? refuseBytes(lines, whole, source);
}

async function takeHead(batches: AsyncIterator<readonly Buffer[]>): Promise<readonly Buffer[]> {
  const head: Buffer[] = [];
  let bytes = 0;
  while (head.length < sampleLines && (bytes < sampleBytes || head.length < 8)) {
    const batch = await batches.next();
    if (batch.done) break;
    for (const line of batch.value) {
      head.push(line);
      bytes += line.length;
    }
  }
  return head;
}

async function takeRest(batches: AsyncIterator<readonly Buffer[]>): Promise<readonly Buffer[]> {
  const rest: Buffer[] = [];
  for (let batch = await batches.next(); !batch.done; batch = await batches.next()) rest.push(...batch.value);
  return rest;
}

async function readByLine(
  head: readonly Buffer[],
  batches: AsyncIterator<readonly Buffer[]>,
  readers: readonly TranscriptReader[],
): Promise<TranscriptFile | undefined> {
  const report = createReadReport();
  const parse = createLineParser(report);
  const sample = parseAll(head.slice(0, sampleLines), parse);
  const values = sample.map((record) => record.value);
  const reader = readers.find((candidate): candidate is LineReader => {
    return candidate.layout === "lines" && values.length > 0 && candidate.refuse(values) === undefined;
  });
  if (!reader) return undefined;
  const reading = reader.open(report);
  const feed = (record: LineRecord | undefined) => record && reading.record(record);
  for (const record of sample) feed(record);
  for (const line of head.slice(sampleLines)) feed(parse(line));
  for (let batch = await batches.next(); !batch.done; batch = await batches.next()) {
    for (const line of batch.value) feed(parse(line));
  }
  return transcriptFile(reader, reading.finish(), report);
}

function parseAll(lines: readonly Buffer[], parse: LineParser): readonly LineRecord[] {
  return lines.map(parse).filter((record) => record !== undefined);
}

function readDocument(
  document: unknown,
  readers: readonly TranscriptReader[],
  source: TranscriptSource,
): TranscriptFile {
  const report = createReadReport();
  const reader = readers.find((candidate): candidate is DocumentReader => {
    return candidate.layout === "document" && candidate.refuse(document) === undefined;
  });
  if (reader) return transcriptFile(reader, reader.read(document, report), report);
  throw unknownFormat(source.name, readers, document);
}

function unknownFormat(name: string, readers: readonly TranscriptReader[], document: unknown): TranscriptError {
  const reasons = readers.map((reader) => {
    const reason = reader.layout === "lines" ? reader.refuse([document]) : reader.refuse(document);
    return `${reader.format} (${reason})`;
  });
  return new TranscriptError("unknown_format", `${name}: no known format; tried ${reasons.join(", ")}`);
}

/** Lines that are documents of their own, or that together are the list a document would hold. */
function readRows(lines: readonly Buffer[], readers: readonly TranscriptReader[]): TranscriptFile | undefined {
  const report = createReadReport();
  const records = parseAll(lines, createLineParser(report));
  const rows = records.map((record) => record.value);
  for (const reader of readers) {
    if (reader.layout === "lines") continue;
    if (rows.length > 0 && reader.refuse(rows) === undefined) {
      return transcriptFile(reader, reader.read(rows, report), report);
    }
    const own = rows.filter((row) => reader.refuse(row) === undefined);
    if (own.length > 0)
      return transcriptFile(
        reader,
        own.flatMap((row) => reader.read(row, report)),
        report,
      );
  }
  return undefined;
}

function refuseBytes(lines: readonly Buffer[], whole: ParsedJson, source: TranscriptSource): never {
  if (whole.kind !== "broken") throw new TranscriptError("empty", `${source.name}: empty`);
  if (lines.some((line) => line.includes(0) || line.includes("\uFFFD"))) {
    throw new TranscriptError("binary", `${source.name}: not text`);
  }
  throw new TranscriptError("not_json", `${source.name}: ${whole.problem}`);
}

function transcriptFile(
  reader: TranscriptReader,
  conversations: readonly Conversation[],
  report: CollectedReport,
): TranscriptFile {
  return {
    format: reader.format,
    conversations: conversations.length > 0 ? conversations : [{ id: "session", messages: [], compactions: [] }],
    diagnostics: report.diagnostics(),
  };
}

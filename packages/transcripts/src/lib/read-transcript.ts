import { constants, isUtf8 } from "node:buffer";
import { builtInReaders } from "./built-in-readers.ts";
import { findDocumentReader, findLineReader, unknownFormat } from "./choose-reader.ts";
import { openSource, type ReadProgress, type TranscriptInput, type TranscriptSource } from "./open-source.ts";
import { parseJson } from "./parse-json.ts";
import { type CollectedReport, createReadReport } from "./read-report.ts";
import { openSessionLines, type SessionLines } from "./session-lines.ts";
import { TranscriptError } from "./transcript-error.ts";
import type { Conversation, TranscriptFile } from "./transcript-file.ts";
import type { LineReader, LineRecord, TranscriptReader } from "./transcript-reader.ts";
import { transcriptFile } from "./transcript-result.ts";

export interface ReadTranscriptOptions {
  /** Asked before the built-in readers. Default: none. */
  readonly readers?: readonly TranscriptReader[] | undefined;
  readonly onProgress?: ReadProgress | undefined;
}

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
  const { name, lines } = await openSource(input, options.onProgress);
  try {
    return await readSession(lines, name, readers);
  } finally {
    // However the reading ends, also in an error or before the last line: the file is closed, the stream cancelled.
    await lines.return();
  }
}

async function readSession(
  lines: TranscriptSource["lines"],
  name: string,
  readers: readonly TranscriptReader[],
): Promise<TranscriptFile> {
  const report = createReadReport();
  const session = await openSessionLines(lines, report);
  const sample = session.sample.map((record) => record.value);

  const lineReader = findLineReader(readers, sample);
  if (lineReader) return readByLine(lineReader, session, report);
  if (isDocumentPerLine(session.sample)) return readRows(session, { name, readers, report });

  const bytes = await session.bytes();
  const whole = parseJson(bytes);
  if (whole.kind === "blank") throw new TranscriptError("empty", `${name}: empty`);
  if (whole.kind === "value") return readDocument(whole.value, { name, readers, report: createReadReport() });
  if (sample.length > 0) return readRows(session, { name, readers, report });
  throw noJson(bytes, whole.problem, name);
}

interface Reading {
  readonly name: string;
  readonly readers: readonly TranscriptReader[];
  readonly report: CollectedReport;
}

async function readByLine(reader: LineReader, session: SessionLines, report: CollectedReport): Promise<TranscriptFile> {
  const reading = reader.open(report);
  for await (const records of session.records()) {
    for (const record of records) {
      if (!record.isDoubled) reading.record(record);
      else report.note({ line: record.line, problem: "the same bytes as the line before", action: "joined with it" });
    }
  }
  return transcriptFile(reader.format, reading.finish(), report);
}

function readDocument(document: unknown, { name, readers, report }: Reading): TranscriptFile {
  const reader = findDocumentReader(readers, document);
  if (!reader) throw unknownFormat(name, readers, [document]);
  return transcriptFile(reader.format, reader.read(document, report), report);
}

/** A document over many lines may have a line that is JSON by itself, but not its first one and another. */
function isDocumentPerLine([first, second]: readonly LineRecord[]): boolean {
  return first?.ordinal === 0 && isContainer(first.value) && isContainer(second?.value);
}

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Lines that together are the list a document would hold, or that are documents of their own. */
async function readRows(session: SessionLines, { name, readers, report }: Reading): Promise<TranscriptFile> {
  const sample = session.sample.map((record) => record.value);
  const listReader = findDocumentReader(readers, sample);
  const rowReader = sample.map((row) => findDocumentReader(readers, row)).find((reader) => reader !== undefined);
  if (listReader) {
    const rows: unknown[] = [];
    for await (const records of session.records()) for (const { value } of records) rows.push(value);
    return transcriptFile(listReader.format, listReader.read(rows, report), report);
  }
  if (!rowReader) throw unknownFormat(name, readers, sample);
  const conversations: Conversation[] = [];
  for await (const records of session.records()) {
    for (const { value, line } of records) {
      const refusal = rowReader.refuse(value);
      if (refusal === undefined)
        for (const conversation of rowReader.read(value, report)) conversations.push(conversation);
      else report.note({ line, problem: refusal, action: "set aside" });
    }
  }
  return transcriptFile(rowReader.format, conversations, report);
}

/** A file that is no text is said to be that, rather than bad JSON. */
function noJson(bytes: Buffer, problem: string, name: string): TranscriptError {
  const isBinary = !isUtf8(bytes) || bytes.includes(0);
  if (isBinary) return new TranscriptError("binary", `${name}: not UTF-8 text`);
  return new TranscriptError(
    bytes.length > constants.MAX_STRING_LENGTH ? "too_large" : "not_json",
    `${name}: ${problem}`,
  );
}

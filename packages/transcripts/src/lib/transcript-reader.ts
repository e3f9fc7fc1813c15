import type { Conversation, ReadDiagnostic } from "./transcript-file.ts";

/** Where a reader says what it did not take over. */
export interface ReadReport {
  /** Something set aside or mended. */
  note(diagnostic: ReadDiagnostic): void;
  /** A record of a type the reader has no name for: counted, one diagnostic for all of a type. */
  ignore(type: string, line?: number): void;
}

/** One JSON value of a line-based file. */
export interface LineRecord {
  readonly value: unknown;
  /** 1-based line of the file. */
  readonly line: number;
  /** Position among the lines that hold something, from 0. Broken lines count; a line doubled by a crash does not. */
  readonly ordinal: number;
}

/** A reading in progress: fed line by line, so that memory holds what is kept and not the file. */
export interface LineReading {
  record(record: LineRecord): void;
  /** Called once, after the last record. At least one conversation, the main one first. */
  finish(): readonly Conversation[];
}

interface ReaderBase {
  /** The name of the format, as `TranscriptFile.format` will say it. */
  readonly format: string;
}

/** Reads a file with one JSON value a line. */
export interface LineReader extends ReaderBase {
  readonly layout: "lines";
  /**
   * Looks at the first records (up to a few hundred, never only the first) and says in one clause why they are not of
   * this format, or `undefined` when they are.
   */
  refuse(sample: readonly unknown[]): string | undefined;
  open(report: ReadReport): LineReading;
}

/** Reads a file that is one JSON value; also a file with such a value on each line. */
export interface DocumentReader extends ReaderBase {
  readonly layout: "document";
  /** Says in one clause why the value is not of this format, or `undefined` when it is. */
  refuse(document: unknown): string | undefined;
  /** At least one conversation, the main one first. */
  read(document: unknown, report: ReadReport): readonly Conversation[];
}

/**
 * What a format needs to be readable: one value with this interface, in a file of its own. Readers never throw on
 * content: what they cannot take over they report and pass by.
 */
export type TranscriptReader = LineReader | DocumentReader;

/**
 * Why nothing could be read.
 *
 * - `not_found`, `is_directory`, `unreadable`: the path could not be opened as a file.
 * - `empty`: no bytes, or only blank ones.
 * - `binary`: not UTF-8 text.
 * - `not_json`: text, but neither one JSON value nor a JSON value per line.
 * - `unknown_format`: JSON that no reader recognises.
 * - `too_large`: one JSON document longer than a JavaScript string can be.
 */
export type TranscriptErrorCode =
  | "not_found"
  | "is_directory"
  | "unreadable"
  | "empty"
  | "binary"
  | "not_json"
  | "unknown_format"
  | "too_large";

/** A format that was tried, and in one clause why the input is not of it. */
export interface FormatRefusal {
  readonly format: string;
  readonly reason: string;
}

export interface TranscriptErrorOptions extends ErrorOptions {
  readonly refusals?: readonly FormatRefusal[] | undefined;
}

/** Thrown when an input holds no transcript at all. The message is one line that says what is wrong and where. */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
  readonly code: TranscriptErrorCode;
  /** With `unknown_format` every format that was tried, in the order it was; else empty. */
  readonly refusals: readonly FormatRefusal[];

  constructor(code: TranscriptErrorCode, message: string, { refusals = [], ...options }: TranscriptErrorOptions = {}) {
    // A path may hold a line break.
    super(message.replace(/\s*[\r\n]+\s*/g, " "), options);
    this.code = code;
    this.refusals = refusals;
  }
}

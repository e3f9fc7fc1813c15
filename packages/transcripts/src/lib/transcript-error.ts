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

/** Thrown when an input holds no transcript at all. The message is one line that says what is wrong and where. */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
  readonly code: TranscriptErrorCode;

  constructor(code: TranscriptErrorCode, message: string, options?: ErrorOptions) {
    // A path may hold a line break, and so may what a reader says of its own.
    super(message.replace(/\s*[\r\n]+\s*/g, " "), options);
    this.code = code;
  }
}

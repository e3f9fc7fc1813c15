export type CheckpointDiagnosticCode =
  | "not_a_record"
  | "newer_version"
  | "missing_field"
  | "bad_field"
  | "bad_message"
  | "unknown_word"
  | "tail_ignored"
  | "tail_repaired"
  | "boundary_gone"
  | "blank_summary"
  | "summary_cut_off"
  | "not_converted";

/** Something a reader should know about a record: what it is and what was done about it, in words. */
export interface CheckpointDiagnostic {
  readonly code: CheckpointDiagnosticCode;
  /** Id of the record, where it has one. */
  readonly checkpointId?: string | undefined;
  /** Dotted path inside the record, for example `details.generation`. */
  readonly field?: string | undefined;
  readonly message: string;
}

export type ReportProblem = (code: CheckpointDiagnosticCode, message: string, field?: string) => void;

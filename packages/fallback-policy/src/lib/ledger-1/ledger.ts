/**
 * What became of messages that neither a summary nor the window holds, as `recent-window-ledger@3` stores it in
 * `details.ledger`. Plain JSON, bounded as `ledger-bounds.ts` says. A later ledger starts from an earlier one and adds
 * to it.
 */
export interface Ledger {
  readonly version: 1;
  /** Id of the newest message that was counted. */
  readonly through: string;
  readonly messages: MessageCounts;
  readonly requests: Listed<LedgerRequest>;
  readonly files: Listed<LedgerFile>;
  readonly commands: Listed<LedgerCommand>;
  readonly errors: Listed<LedgerError>;
  /** The newest plan the model stated; empty when it stated none. */
  readonly plan: readonly string[];
}

export interface MessageCounts {
  /** Requests. */
  readonly user: number;
  /** Messages in the user's role that the user did not write. */
  readonly injected: number;
  readonly assistant: number;
  readonly tool: number;
  readonly system: number;
}

/** In the order of the last time, newest last. `dropped` counts the oldest entries that were let go. */
export interface Listed<Entry> {
  readonly entries: readonly Entry[];
  readonly dropped: number;
}

export interface LedgerRequest {
  readonly text: string;
  /** `open`: the messages that were counted do not say how it ended. */
  readonly outcome: "open" | "answered" | "stopped" | "failed";
  /** Beginning of the answer; empty unless answered. */
  readonly answer: string;
}

export interface LedgerFile {
  /** Of a long path its two ends. */
  readonly path: string;
  readonly reads: number;
  /** Without deletions. */
  readonly modifications: number;
  readonly last: "read" | "modify" | "delete";
}

export interface LedgerCommand {
  readonly command: string;
  readonly runs: number;
  readonly failures: number;
  /** Exit code of the last run; `null` when its tool does not state one. */
  readonly lastExit: number | null;
  readonly lastFailed: boolean;
}

export interface LedgerError {
  readonly text: string;
  /** Name of the tool whose result it stood in last. */
  readonly tool: string;
  readonly times: number;
}

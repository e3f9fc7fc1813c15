export type {
  Ledger,
  LedgerCommand,
  LedgerError,
  LedgerFile,
  LedgerRequest,
  Listed,
  MessageCounts,
} from "./lib/ledger-1/ledger.ts";
export { readLedger } from "./lib/ledger-1/read-ledger.ts";
export { recentWindowLedgerV3 } from "./lib/recent-window-ledger-v3.ts";

export { recentWindowLedgerV3 } from "./lib/recent-window-ledger-v3.ts";

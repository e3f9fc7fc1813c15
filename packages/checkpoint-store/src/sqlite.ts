export type { SqlStore } from "./lib/sql-store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./lib/sqlite-store.ts";

export { openPostgresStore, type PostgresStoreOptions } from "./lib/postgres-store.ts";
export type { SqlStore } from "./lib/sql-store.ts";

export { createSqlStore, type SqlStore } from "./lib/sql-store.ts";

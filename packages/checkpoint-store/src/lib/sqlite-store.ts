import { CompiledQuery, SqliteDialect } from "kysely";
import Database from "libsql";
import { createSqlStore, type SqlStore } from "./sql-store.ts";

export interface SqliteStoreOptions {
  /** How long an operation waits for another process that is writing, in milliseconds. Default: 5,000. */
  readonly busyTimeoutMs?: number | undefined;
}

/**
 * A store in a SQLite database file, which is made when it is not there; the directory must be. For one machine and any
 * number of processes. The driver is synchronous: an operation blocks the event loop while it runs or waits.
 */
export function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<SqlStore> {
  const timeout = options.busyTimeoutMs ?? 5000;
  const dialect = new SqliteDialect({
    database: async () => new Database(path, { timeout }),
    // A commit is durable only with its journal's directory entry: the default leaves that to the system.
    onCreateConnection: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw("pragma synchronous = extra"));
    },
  });
  return createSqlStore(dialect);
}

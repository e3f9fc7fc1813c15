import { PostgresDialect } from "kysely";
import { Pool } from "pg";
import { createSqlStore, type SqlStore } from "./sql-store.ts";

export interface PostgresStoreOptions {
  /** As `postgres://user:password@host:port/database`. */
  readonly connectionString: string;
  /** Connections open at once. Default: 4. */
  readonly maxConnections?: number | undefined;
  /** How long an operation waits for a connection, in milliseconds. Default: 10,000. */
  readonly connectionTimeoutMs?: number | undefined;
}

/** A store in a PostgreSQL database, for more than one machine. The tables are made in the connection's schema. */
export function openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore> {
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? 4,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 10_000,
  });
  // An idle connection that breaks would end the process if nobody listened; the next operation opens a new one.
  pool.on("error", () => {});
  return createSqlStore(new PostgresDialect({ pool }));
}

import { parseCheckpoint } from "@holdfast/checkpoint-normalizer";
import { type Dialect, Kysely, Migrator } from "kysely";
import { attempt } from "./attempt.ts";
import type { AppendResult, CheckpointStore } from "./checkpoint-store.ts";
import { CheckpointStoreError } from "./checkpoint-store-error.ts";
import { encodeRecord } from "./encode-record.ts";
import { migrationProvider } from "./sql-migrations.ts";

interface SqlSchema {
  readonly holdfast_checkpoint: {
    readonly conversation_id: string;
    readonly generation: number;
    /** The record as JSON text: a database's own JSON type would order fields anew. */
    readonly record: string;
  };
}

export interface SqlStore extends CheckpointStore {
  /** Ends the connections. Using the store afterwards rejects. */
  close(): Promise<void>;
}

// Two processes that open a new SQLite database at once run the same steps; the slower one then finds them done.
const migrationAttempts = 5;

/**
 * A store in one table of a database that Kysely speaks to, brought to the newest layout first. Two hosts cannot both
 * install a generation: (conversation, generation) is the table's key, and the insert is one statement.
 *
 * Rejects with a `CheckpointStoreError` when the database cannot be reached or brought up to date.
 */
export async function createSqlStore(dialect: Dialect): Promise<SqlStore> {
  const database = new Kysely<SqlSchema>({ dialect });
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw new CheckpointStoreError("write_failed", error);
  }

  const newestRow = (conversationId: string) =>
    database
      .selectFrom("holdfast_checkpoint")
      .select(["generation", "record"])
      .where("conversation_id", "=", storedId(conversationId))
      .orderBy("generation", "desc")
      .limit(1)
      .executeTakeFirst();

  const refusal = async (reason: "conflict" | "boundary_gone", conversationId: string): Promise<AppendResult> => {
    const row = await attempt("read_failed", () => newestRow(conversationId));
    const newest = row === undefined ? undefined : parseCheckpoint(readJson(row.record));
    return { ok: false, reason, newest: newest?.ok === true ? newest.checkpoint : undefined };
  };

  return {
    async append(conversationId, checkpoint, { expectedGeneration, isBoundaryPresent }) {
      const record = encodeRecord(checkpoint, expectedGeneration);
      const newest = await attempt("read_failed", () => newestRow(conversationId));
      if ((newest?.generation ?? 0) !== expectedGeneration) return refusal("conflict", conversationId);
      if (isBoundaryPresent?.() === false) return refusal("boundary_gone", conversationId);
      const generation = expectedGeneration + 1;
      const inserted = await attempt("write_failed", () =>
        database
          .insertInto("holdfast_checkpoint")
          .values({ conversation_id: storedId(conversationId), generation, record })
          .onConflict((conflict) => conflict.columns(["conversation_id", "generation"]).doNothing())
          .returning("generation")
          .executeTakeFirst(),
      );
      return inserted === undefined ? refusal("conflict", conversationId) : { ok: true, generation };
    },
    async list(conversationId) {
      const rows = await attempt("read_failed", () =>
        database
          .selectFrom("holdfast_checkpoint")
          .select("record")
          .where("conversation_id", "=", storedId(conversationId))
          .orderBy("generation")
          .execute(),
      );
      return rows.map(({ record }) => readJson(record));
    },
    close: () => database.destroy(),
  };
}

/** Databases refuse or mangle a null character and half a surrogate pair: these, quotes and backslashes are escaped. */
function storedId(conversationId: string): string {
  return JSON.stringify(conversationId).slice(1, -1);
}

async function migrate(database: Kysely<SqlSchema>): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: migrationProvider,
    migrationTableName: "holdfast_migration",
    migrationLockTableName: "holdfast_migration_lock",
  });
  for (let left = migrationAttempts; ; left -= 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    if (left === 1) throw error;
  }
}

/** A text that is no JSON comes back as it is: it costs this record only, and its reader says what is wrong with it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

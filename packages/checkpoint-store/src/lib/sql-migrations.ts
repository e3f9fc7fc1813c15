import type { Kysely, MigrationProvider } from "kysely";

/** Steps that were run somewhere: nobody edits one, the next change is a new step. */
export const migrationProvider: MigrationProvider = {
  async getMigrations() {
    return {
      "0001-checkpoints": {
        async up(database: Kysely<unknown>) {
          await database.schema
            .createTable("holdfast_checkpoint")
            .addColumn("conversation_id", "text", (column) => column.notNull())
            .addColumn("generation", "integer", (column) => column.notNull())
            .addColumn("record", "text", (column) => column.notNull())
            .addPrimaryKeyConstraint("holdfast_checkpoint_key", ["conversation_id", "generation"])
            .execute();
        },
      },
    };
  },
};

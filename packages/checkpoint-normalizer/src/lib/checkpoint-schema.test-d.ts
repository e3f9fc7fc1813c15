import { expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { Checkpoint } from "./checkpoint.ts";
import { checkpointSchema } from "./checkpoint-schema.ts";

test("the schema and the type are about the same record, in both directions", () => {
  expectTypeOf<z.output<typeof checkpointSchema>>().toEqualTypeOf<Checkpoint>();
  expectTypeOf(checkpointSchema.parse).returns.toEqualTypeOf<Checkpoint>();
});

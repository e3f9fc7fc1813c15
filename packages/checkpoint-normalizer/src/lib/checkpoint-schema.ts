import { type Message, messageSchema } from "@holdfast/message-schema";
import * as z from "zod";
import type { Checkpoint, CheckpointDetails, CheckpointUsage, UncoveredInterval } from "./checkpoint.ts";

/** The newest layout this reader knows. A record that says more is refused, never half understood. */
export const CHECKPOINT_VERSION = 1;

const nonNegative = z.number().nonnegative();
const word = z.string().min(1);
const paths = z.array(z.string());

const uncoveredInterval = z.looseObject({ from: word, through: word }) satisfies z.ZodType<UncoveredInterval>;

/** What each named field of `details` may hold. A field that is not here is anybody's and is kept as it is. */
export const detailsFields = {
  strategy: word,
  readFiles: paths,
  modifiedFiles: paths,
  retainedTailMode: word,
  retainedTailShape: word,
  fallback: word,
  failureReason: word,
  policy: word,
  uncovered: z.array(uncoveredInterval),
  carriedSummary: z.string(),
  promptVersion: z.string(),
  calibration: z.number().positive(),
};

export const generationField = z.int().nonnegative();

/** The optional fields of a record. One that is bad is dropped and costs nothing else. */
export const optionalFields = {
  version: z.int().nonnegative().max(CHECKPOINT_VERSION),
  firstKeptMessageId: word,
  usage: z
    .looseObject({ inputTokens: nonNegative, outputTokens: nonNegative, incomplete: z.boolean() })
    .nullable() satisfies z.ZodType<CheckpointUsage | null>,
  providerId: z.string(),
  modelId: z.string(),
};

/** The fields every record has. Those without a neutral value decide whether it can be read at all. */
export const requiredFields = {
  id: word,
  summary: z.string().nullable(),
  throughMessageId: word,
  tokensBefore: nonNegative,
  retainedTail: z.array<z.ZodType<Message>>(messageSchema),
  createdAt: z.iso.datetime({ offset: true }),
};

function allOptional<T extends Record<string, z.ZodType>>(fields: T): { [K in keyof T]: z.ZodOptional<T[K]> } {
  return z.object(fields).partial().shape as { [K in keyof T]: z.ZodOptional<T[K]> };
}

const detailsSchema = z.looseObject({
  generation: generationField,
  ...allOptional(detailsFields),
}) satisfies z.ZodType<CheckpointDetails>;

/**
 * A record as this version writes it, whole or refused. To read what was stored use `parseCheckpoint`, which forgives
 * what it can: one bad optional field must not cost a conversation its memory.
 */
export const checkpointSchema: z.ZodType<Checkpoint> = z.looseObject({
  ...requiredFields,
  ...allOptional(optionalFields),
  details: detailsSchema,
});

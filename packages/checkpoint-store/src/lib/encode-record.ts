import { type Checkpoint, checkpointSchema } from "@holdfast/checkpoint-normalizer";

/**
 * The record as one line of JSON. A writer cannot store what its reader would have to mend, so a record that is none is
 * refused with a `TypeError` that names the field, and so is one of another generation than the next.
 */
export function encodeRecord(checkpoint: Checkpoint, expectedGeneration: number): string {
  const text: string | undefined = JSON.stringify(checkpoint);
  const stored = checkpointSchema.safeParse(text === undefined ? undefined : JSON.parse(text));
  if (!stored.success) {
    const [issue] = stored.error.issues;
    throw new TypeError(`not a checkpoint: ${issue?.path.join(".") || "record"}: ${issue?.message ?? "unreadable"}`);
  }
  const { generation } = stored.data.details;
  if (generation !== expectedGeneration + 1) {
    throw new TypeError(`a checkpoint after generation ${expectedGeneration} cannot be generation ${generation}`);
  }
  return text;
}

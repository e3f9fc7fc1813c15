import { describeCheckpoint, normalizeCheckpoint, parseCheckpoint } from "@holdfast/checkpoint-normalizer";
import { findCheckpointRecords } from "./checkpoint-values.ts";
import type { Output } from "./output.ts";

/** `holdfast normalize FILE`. Returns the exit status: 1 when something is wrong with a record. */
export async function normalizeCommand(
  path: string,
  options: { readonly json?: boolean },
  output: Output,
): Promise<number> {
  const records = (await findCheckpointRecords(path)).map(({ where, value, unreadable, isGarbled }) => {
    if (unreadable !== undefined) return { where, lines: [], problems: [unreadable], checkpoint: null };
    const { lines, problems } = describeCheckpoint(value);
    const parsed = parseCheckpoint(value);
    return {
      where,
      lines,
      problems: isGarbled ? ["bytes that are not UTF-8 were read as U+FFFD", ...problems] : problems,
      checkpoint: parsed.ok ? normalizeCheckpoint(parsed.checkpoint).checkpoint : null,
    };
  });
  if (options.json) output.json({ records });
  else if (records.length === 0) output.line("There is no compaction and no checkpoint record in it.");
  else {
    for (const { where, lines, problems } of records) {
      output.line(`${where}:`);
      for (const line of lines) output.line(`  ${line}`);
      for (const problem of problems) output.line(`  ! ${problem}`);
    }
  }
  return records.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

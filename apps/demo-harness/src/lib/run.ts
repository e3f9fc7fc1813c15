import { CommanderError } from "commander";
import { CommandError } from "./command-error.ts";
import { createProgram } from "./program.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs the command. Returns its exit status: 0 done, 1 the run found a problem, 2 the input or the options are wrong,
 * which one line on stderr explains.
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output } = surroundings;
  let status = 0;
  const program = createProgram(surroundings, (code) => {
    status = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    output.note(`holdfast: ${error instanceof CommandError ? error.message : unexpected(error)}`);
    return 2;
  }
}

/** One line, no stack trace: what went wrong inside is not the user's to read. */
function unexpected(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `unexpected failure, please report it (${words.split("\n")[0]})`;
}

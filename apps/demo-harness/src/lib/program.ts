import { getFallbackPolicy } from "@holdfast/fallback-policy";
import { knownFormats } from "@holdfast/transcripts";
import { Command, InvalidArgumentError, Option } from "commander";
import { CommandError } from "./command-error.ts";
import { demoCommand } from "./demo-command.ts";
import { inspectCommand } from "./inspect-command.ts";
import { normalizeCommand } from "./normalize-command.ts";
import { wholeNumber } from "./number-option.ts";
import { FAILURE_KINDS } from "./offline-summary-model.ts";
import { type ReplayCommandOptions, replayCommand } from "./replay-command.ts";
import { policyIds } from "./replay-settings.ts";
import { type SelectCommandOptions, selectCommand } from "./select-command.ts";
import type { Surroundings } from "./surroundings.ts";

/** The `holdfast` command: what can be typed. What it does is in the file of each subcommand. */
export function createProgram(surroundings: Surroundings, setStatus: (status: number) => void): Command {
  const { output, samplePath } = surroundings;
  const program = new Command("holdfast")
    .description("Keep an agent's memory when its context is compacted. Without a command: a demonstration.")
    .version(surroundings.version)
    .helpCommand(true)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => output.line(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd().replace(/^error: /, "holdfast: ")),
    })
    .argument("[command]")
    .usage("[options] [command]")
    .action(async (command?: string) => {
      if (command !== undefined) throw new CommandError(`there is no command '${command}', see --help`);
      setStatus(await demoCommand(samplePath, output));
    });

  program
    .command("inspect")
    .description("what a session file holds: messages by role, tokens, tool calls, pairing problems, compactions")
    .argument("<file>", "session file of another tool, or messages of your own agent")
    .option("--json", "one JSON document")
    .addHelpText("after", `\nFormats: ${knownFormats.join(", ")}`)
    .action(async (file: string, options: { json?: boolean }) => inspectCommand(file, options, output));

  program
    .command("select")
    .description("the newest messages of a conversation that fit a token budget")
    .argument("<file>", "session file of another tool, or messages of your own agent")
    .requiredOption("--budget <tokens>", "what the window may count", wholeNumber(0))
    .addOption(new Option("--anchor <which>", "keep a request ahead of the window").choices(["latest-request"]))
    .addOption(conversationOption())
    .option("--dump", "add the messages")
    .option("--json", "one JSON document")
    .action(async (file: string, options: SelectCommandOptions) => selectCommand(file, options, output));

  program
    .command("replay")
    .description("run a recorded conversation through the runtime adapter, offline, and check every request")
    .argument("<file>", "session file of another tool, or messages of your own agent")
    .option("--window <tokens>", "context window of the model", wholeNumber(1000), 128_000)
    .option("--max-output <tokens>", "output limit; default: 16384 or a quarter of the window", wholeNumber(1))
    .option("--overhead <tokens>", "system prompt and tool schemas", wholeNumber(0), 0)
    .option("--summary-window <tokens>", "context window of the summary model; default: --window", wholeNumber(1000))
    .addOption(
      new Option("--policy <id>", `fallback policy: ${policyIds.join(", ")}`)
        .argParser(policy)
        .default(getFallbackPolicy("recent-window@2"), "recent-window@2"),
    )
    .addOption(
      new Option("--strategy <name>", "ask for summaries or not")
        .choices(["summary", "fresh_window"])
        .default("summary"),
    )
    .addOption(new Option("--fail <kind>", "how summary requests fail").choices(FAILURE_KINDS).default("none"))
    .option("--fail-from <k>", "first compaction that fails; default: 1", wholeNumber(1))
    .option("--fail-chunk <k>", "only this request of a chain fails", wholeNumber(1))
    .option("--manual-at <n>", "ask for a manual compaction before request n", wholeNumber(1))
    .option("--store <path>", "keep the checkpoints in this JSONL file; default: in memory")
    .addOption(conversationOption())
    .option("--dump", "add the messages of the request after each compaction (implies --json)")
    .option("--json", "one JSON document")
    .action(async (file: string, options: ReplayCommandOptions) =>
      setStatus(await replayCommand(file, options, output)),
    );

  program
    .command("normalize")
    .description("what stored checkpoint records mean and what is wrong with them")
    .argument("<file>", "a record, a list of them, one a line, or a session file")
    .option("--json", "one JSON document")
    .action(async (file: string, options: { json?: boolean }) =>
      setStatus(await normalizeCommand(file, options, output)),
    );

  // Of the command itself alone: a subcommand takes the arguments it names.
  return program.allowExcessArguments();
}

function conversationOption(): Option {
  return new Option("--conversation <n>", "which conversation of the file").argParser(wholeNumber(1)).default(1);
}

function policy(id: string) {
  if (!policyIds.includes(id)) throw new InvalidArgumentError(`There is ${policyIds.join(", ")}.`);
  return getFallbackPolicy(id);
}

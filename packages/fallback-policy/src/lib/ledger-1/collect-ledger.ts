import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import { answeredCalls } from "../answered-calls.ts";
import { touchedFiles } from "../touched-files.ts";
import { addCommandRuns, commandRun } from "./command-runs.ts";
import { addFileUses } from "./file-states.ts";
import type { Ledger, MessageCounts } from "./ledger.ts";
import { addRequests } from "./request-outcomes.ts";
import { addErrors, seenError } from "./seen-errors.ts";
import { statedPlan } from "./stated-plan.ts";

export interface CollectLedgerOptions {
  readonly shape: MessageShape<Message>;
  /** The ledger of the record before, whose messages come before these. */
  readonly earlier?: Ledger | undefined;
}

/** The earlier ledger with the messages added to it, oldest first; `undefined` when there is neither. */
export function collectLedger(
  messages: readonly Message[],
  { shape, earlier }: CollectLedgerOptions,
): Ledger | undefined {
  const through = messages.at(-1)?.id ?? earlier?.through;
  if (through === undefined) return undefined;
  const nothing = { entries: [], dropped: 0 };
  const calls = answeredCalls(messages).map((answered) => ({ ...answered, run: commandRun(answered) }));
  return {
    version: 1,
    through,
    messages: addCounts(earlier?.messages, messages, shape),
    requests: addRequests(earlier?.requests ?? nothing, messages, shape),
    files: addFileUses(
      earlier?.files ?? nothing,
      calls.flatMap(({ call, result }) => (result.isError ? [] : touchedFiles(call))),
    ),
    commands: addCommandRuns(
      earlier?.commands ?? nothing,
      calls.flatMap(({ run }) => run ?? []),
    ),
    errors: addErrors(
      earlier?.errors ?? nothing,
      calls.flatMap((answered) => seenError(answered, answered.run) ?? []),
    ),
    plan: statedPlan(messages) ?? earlier?.plan ?? [],
  };
}

function addCounts(
  earlier: MessageCounts | undefined,
  messages: readonly Message[],
  shape: MessageShape<Message>,
): MessageCounts {
  const count = { user: 0, assistant: 0, tool: 0, system: 0, ...earlier };
  for (const message of messages) count[shape.role(message)] += 1;
  return count;
}

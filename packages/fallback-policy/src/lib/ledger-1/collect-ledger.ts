import type { Message } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import { answeredCalls } from "../answered-calls.ts";
import { isRequest } from "../is-request.ts";
import { touchedFiles } from "../touched-files.ts";
import { addCommandRuns, commandRun } from "./command-runs.ts";
import { addFileUses } from "./file-states.ts";
import type { Ledger, MessageCounts } from "./ledger.ts";
import { addRequests } from "./request-outcomes.ts";
import { addErrors, seenError } from "./seen-errors.ts";
import { statedPlan } from "./stated-plan.ts";

export interface CollectLedgerOptions {
  readonly shape: MessageShape<Message>;
  /** The ledger of the record before, and the messages it counted, as far as the transcript still has them. */
  readonly earlier?: { readonly ledger: Ledger; readonly of: readonly Message[] } | undefined;
}

/** The earlier ledger with the messages behind it added, oldest first; `undefined` when there is neither. */
export function collectLedger(
  messages: readonly Message[],
  { shape, earlier }: CollectLedgerOptions,
): Ledger | undefined {
  const before = earlier?.ledger;
  const through = messages.at(-1)?.id ?? before?.through;
  if (through === undefined) return undefined;
  const nothing = { entries: [], dropped: 0 };
  // A result tells of its call, which may be among the messages that were counted before.
  const results = new Set<Message>(messages);
  const calls = answeredCalls([...(earlier?.of ?? []), ...messages])
    .filter(({ result }) => results.has(result))
    .map((answered) => ({ ...answered, run: commandRun(answered) }));
  return {
    version: 1,
    through,
    messages: addCounts(before?.messages, messages, shape),
    requests: addRequests(before?.requests ?? nothing, messages, shape),
    files: addFileUses(
      before?.files ?? nothing,
      calls.flatMap(({ call, result }) => (result.isError ? [] : touchedFiles(call))),
    ),
    commands: addCommandRuns(
      before?.commands ?? nothing,
      calls.flatMap(({ run }) => run ?? []),
    ),
    errors: addErrors(
      before?.errors ?? nothing,
      calls.flatMap((answered) => seenError(answered, answered.run) ?? []),
    ),
    plan: statedPlan(messages, shape) ?? before?.plan ?? [],
  };
}

function addCounts(
  before: MessageCounts | undefined,
  messages: readonly Message[],
  shape: MessageShape<Message>,
): MessageCounts {
  const count = { user: 0, injected: 0, assistant: 0, tool: 0, system: 0, ...before };
  for (const message of messages) {
    const role = shape.role(message);
    count[role === "user" && !isRequest(message, shape) ? "injected" : role] += 1;
  }
  return count;
}

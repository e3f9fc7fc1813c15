import type { RoleCounts } from "@holdfast/runtime-adapter";
import type { Replay, ReplayedCompaction } from "./replay.ts";
import { requestCounts } from "./replay-report.ts";
import { grouped, table } from "./table.ts";

/** A replay as lines of text for a person. */
export function describeReplay(replay: Replay): string[] {
  const lines = [`${grouped(replay.messages)} messages, ${grouped(replay.requests)} requests to the model.`, ""];
  if (replay.compactions.length === 0) lines.push("No compaction was due: try a smaller --window.");
  else {
    lines.push(
      table(
        ["#", "request", "outcome", "before", "after", "user", "assistant", "tool"],
        replay.compactions.map((compaction) => [
          String(compaction.index),
          String(compaction.beforeRequest),
          outcomeWords(compaction),
          grouped(compaction.report.tokensBefore),
          grouped(compaction.report.tokensAfter),
          ...holdsCounts(compaction),
        ]),
      ),
      "",
      "Each line is a compaction: the request it came before, the tokens in the context",
      "before and after it, and how many messages of each role that request holds.",
    );
  }
  return [...lines, "", ...describeChecks(replay)];
}

/** What the check of every request found. */
export function describeChecks(replay: Replay): string[] {
  const lines = [
    `${replay.invalidRequests.length} of ${grouped(replay.requests)} requests invalid, ${replay.overLimitRequests.length} over the limit, ${replay.refusedRequests.length} refused.`,
  ];
  for (const { request, problems } of replay.invalidRequests) {
    lines.push(`Request ${request} is invalid: ${problems.join("; ")}.`);
  }
  for (const { request, tokens, limit } of replay.overLimitRequests) {
    lines.push(`Request ${request} is over the limit: ${grouped(tokens)} of ${grouped(limit)} tokens.`);
  }
  for (const { request, reason, tokens, limit } of replay.refusedRequests) {
    lines.push(`Request ${request} refused, ${reason}: ${grouped(tokens)} tokens, the limit is ${grouped(limit)}.`);
  }
  return lines;
}

/** `fallback (summary_provider)`, `refused (turn_active)`. */
function outcomeWords({ report, errorCode }: ReplayedCompaction): string {
  const reason = report.failureReason ?? errorCode;
  return reason === undefined ? report.outcome : `${report.outcome} (${reason})`;
}

/** What the request after a compaction holds by role. */
export function holdsWords({ request }: ReplayedCompaction): string {
  return request.kind === "send" ? rolesWords(requestCounts(request.messages)) : request.kind;
}

function holdsCounts({ request }: ReplayedCompaction): string[] {
  if (request.kind !== "send") return [request.kind, "", ""];
  const { user, assistant, tool } = requestCounts(request.messages);
  return [user, assistant, tool].map(grouped);
}

function rolesWords({ user, assistant, tool }: RoleCounts): string {
  return `${user} user, ${assistant} assistant, ${tool} tool`;
}

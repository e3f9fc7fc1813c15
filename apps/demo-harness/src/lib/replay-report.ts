import type { Message } from "@holdfast/message-schema";
import { countRoles, type RoleCounts } from "@holdfast/runtime-adapter";
import type { Replay, ReplayedCompaction } from "./replay.ts";

/** The replay as one JSON document. `dump` adds the messages of the request after each compaction. */
export function replayReport(replay: Replay, options: { readonly format: string; readonly dump: boolean }) {
  return {
    format: options.format,
    messages: replay.messages,
    requests: replay.requests,
    compactions: replay.compactions.map((compaction) => compactionReport(compaction, options.dump)),
    invalidRequests: replay.invalidRequests,
    overLimitRequests: replay.overLimitRequests,
    refusedRequests: replay.refusedRequests,
  };
}

function compactionReport(compaction: ReplayedCompaction, dump: boolean) {
  const { index, beforeRequest, report, errorCode, retainedTokens, request } = compaction;
  const { cause: _, ...facts } = report;
  return {
    index,
    beforeRequest,
    ...facts,
    ...(errorCode === undefined ? {} : { errorCode }),
    retainedTokens,
    nextRequest: request.kind === "send" ? requestCounts(request.messages) : null,
    ...(dump ? { request: request.kind === "send" ? request.messages : null } : {}),
  };
}

/** Counts by role of a request; the message that stands for the summary is not counted. */
export function requestCounts(messages: readonly Message[]): RoleCounts {
  return countRoles(messages.filter(({ id }) => !id.startsWith("summary:")));
}

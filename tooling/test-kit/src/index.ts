export { checkRequest, type RequestLimits } from "./lib/check-request.ts";
export { describeWithSessions } from "./lib/describe-with-sessions.ts";
export type { GeneratedMessage } from "./lib/generated-message.ts";
export { openSessionFile, openSessionsDir } from "./lib/open-sessions.ts";
export { type ReportedCase, reportedCase } from "./lib/reported-case.ts";
export { type TranscriptOptions, transcriptArbitrary } from "./lib/transcript-arbitrary.ts";
export type { Oddity } from "./lib/transcript-step.ts";

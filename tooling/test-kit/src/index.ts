export { checkRequest, type RequestLimits } from "./lib/check-request.ts";
export { describeWithSessions } from "./lib/describe-with-sessions.ts";
export { openSessionFile, openSessionsDir } from "./lib/open-sessions.ts";

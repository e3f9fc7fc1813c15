export { latestUserV1 } from "./lib/latest-user-v1.ts";

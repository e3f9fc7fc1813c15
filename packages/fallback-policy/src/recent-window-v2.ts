export { recentWindowV2 } from "./lib/recent-window-v2.ts";

export { traceCompactions } from "./lib/trace-compactions.ts";

export { bundleProcess, type ProcessBundle } from "./lib/process-bundle.ts";

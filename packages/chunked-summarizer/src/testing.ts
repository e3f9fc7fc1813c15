export {
  createScriptedSummaryModel,
  type ScriptedSummaryModel,
  type ScriptedSummaryModelOptions,
  type SummaryStep,
} from "./lib/scripted-summary-model.ts";
export { createVirtualClock, type VirtualClock } from "./lib/virtual-clock.ts";

export { type AiSdkSummaryModelOptions, createAiSdkSummaryModel } from "./lib/ai-sdk-summary-model.ts";

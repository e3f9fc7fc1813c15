export { type AiSdkMessage, shape } from "./lib/ai-sdk-shape.ts";

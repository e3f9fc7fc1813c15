export {
  type AiSdkImage,
  type AiSdkMessage,
  type AiSdkPrompt,
  type AiSdkReasoning,
  type AiSdkResultPart,
  type AiSdkText,
  type AiSdkToolCall,
  type AiSdkToolResult,
  toAiSdk,
} from "./lib/write/ai-sdk.ts";

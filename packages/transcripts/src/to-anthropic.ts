export {
  type AnthropicAssistantBlock,
  type AnthropicImage,
  type AnthropicMessage,
  type AnthropicRequest,
  type AnthropicText,
  type AnthropicToolResult,
  type AnthropicUserBlock,
  toAnthropic,
} from "./lib/write/anthropic.ts";

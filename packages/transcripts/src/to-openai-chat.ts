export {
  type OpenAiChatImage,
  type OpenAiChatMessage,
  type OpenAiChatText,
  type OpenAiChatToolCall,
  type ToOpenAiChatOptions,
  toOpenAiChat,
} from "./lib/write/openai-chat.ts";

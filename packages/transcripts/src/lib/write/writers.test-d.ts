import type { MessageParam, TextBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { Message as PiAiMessage } from "@earendil-works/pi-ai";
import type { ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources";
import type { AiSdkMessage } from "./ai-sdk.ts";
import type { AnthropicMessage, AnthropicRequest } from "./anthropic.ts";
import type { OpenAiChatMessage } from "./openai-chat.ts";
import type { PiMessage } from "./pi.ts";

/** What a writer gives is what the library takes, without a cast. */
export const toAnthropicSdk = (messages: AnthropicMessage[]): MessageParam[] => messages;
export const toAnthropicSystem = (system: NonNullable<AnthropicRequest["system"]>): TextBlockParam[] => system;
export const toOpenAiSdk = (messages: OpenAiChatMessage[]): ChatCompletionMessageParam[] => messages;
export const toVercelSdk = (messages: AiSdkMessage[]): ModelMessage[] => messages;
export const toPiAi = (messages: PiMessage[]): PiAiMessage[] => messages;

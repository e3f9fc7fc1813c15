import type { BetaMessageParam } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
// Declares the roles that the coding agent adds.
import type {} from "@earendil-works/pi-coding-agent";
import type { Content } from "@google/genai";
import type { BaseMessage } from "@langchain/core/messages";
import type { ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { shape as aiSdk } from "../ai-sdk.ts";
import { shape as anthropic } from "../anthropic.ts";
import { shape as gemini } from "../gemini.ts";
import { shape as langChain } from "../langchain.ts";
import { shape as openAi } from "../openai.ts";
import { shape as openAiResponses } from "../openai-responses.ts";
import { shape as pi } from "../pi.ts";
import { selectTailWindow } from "./select-tail-window.ts";

// The caller's own message type goes in and comes out, without a cast.

const common = { budgetTokens: 1_000, countTokens: (message: object) => Object.keys(message).length };

export const chat = (messages: ChatCompletionMessageParam[]): ChatCompletionMessageParam[] =>
  selectTailWindow(messages, { ...common, shape: openAi }).messages;

export const responses = (items: ResponseInputItem[]): ResponseInputItem[] =>
  selectTailWindow(items, { ...common, shape: openAiResponses }).messages;

export const claude = (messages: MessageParam[]): MessageParam[] =>
  selectTailWindow(messages, { ...common, shape: anthropic }).messages;

export const claudeBeta = (messages: BetaMessageParam[]): BetaMessageParam[] =>
  selectTailWindow(messages, { ...common, shape: anthropic }).messages;

export const vercel = (messages: ModelMessage[]): ModelMessage[] =>
  selectTailWindow(messages, { ...common, shape: aiSdk }).messages;

export const chain = (messages: BaseMessage[]): BaseMessage[] =>
  selectTailWindow(messages, { ...common, shape: langChain }).messages;

export const google = (contents: Content[]): Content[] =>
  selectTailWindow(contents, { ...common, shape: gemini }).messages;

export const agent = (messages: AgentMessage[]): AgentMessage[] =>
  selectTailWindow(messages, { ...common, shape: pi }).messages;

// @ts-expect-error: messages of another library are refused
export const mixedUp = (messages: ModelMessage[]) => selectTailWindow(messages, { ...common, shape: langChain });

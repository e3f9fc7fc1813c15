import { adk } from "./readers/adk.ts";
import { aiSdk } from "./readers/ai-sdk.ts";
import { aiSdkUi } from "./readers/ai-sdk-ui.ts";
import { aiSdkUiStream } from "./readers/ai-sdk-ui-stream.ts";
import { anthropicMessages } from "./readers/anthropic-messages.ts";
import { claudeCode } from "./readers/claude-code.ts";
import { cline } from "./readers/cline.ts";
import { codex } from "./readers/codex.ts";
import { copilotCli } from "./readers/copilot-cli.ts";
import { dsh } from "./readers/dsh.ts";
import { geminiCli } from "./readers/gemini-cli.ts";
import { geminiContents } from "./readers/gemini-contents.ts";
import { holdfast } from "./readers/holdfast.ts";
import { inspect } from "./readers/inspect.ts";
import { kimiCli } from "./readers/kimi-cli.ts";
import { langChain } from "./readers/langchain.ts";
import { openAiChat } from "./readers/openai-chat.ts";
import { openAiResponses } from "./readers/openai-responses.ts";
import { opencode } from "./readers/opencode.ts";
import { openHandsV0 } from "./readers/openhands-v0.ts";
import { openHandsV1 } from "./readers/openhands-v1.ts";
import { pi } from "./readers/pi.ts";
import { shareGpt } from "./readers/sharegpt.ts";
import { sweAgent } from "./readers/swe-agent.ts";
import { tauBench } from "./readers/tau-bench.ts";
import { toolBench } from "./readers/toolbench.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

/**
 * In the order they are asked: the first that does not refuse reads. What they recognise does not overlap, save that
 * lists of plain text messages look alike to several; the most particular comes first and `openai-chat` last.
 */
export const builtInReaders: readonly TranscriptReader[] = [
  pi,
  claudeCode,
  codex,
  copilotCli,
  kimiCli,
  openHandsV1,
  dsh,
  opencode,
  geminiCli,
  langChain,
  openHandsV0,
  sweAgent,
  tauBench,
  inspect,
  adk,
  shareGpt,
  toolBench,
  holdfast,
  cline,
  aiSdkUiStream,
  aiSdkUi,
  aiSdk,
  geminiContents,
  openAiResponses,
  anthropicMessages,
  openAiChat,
];

/** The names of the formats that can be read, in the order they are tried. */
export const knownFormats: readonly string[] = builtInReaders.map(({ format }) => format);

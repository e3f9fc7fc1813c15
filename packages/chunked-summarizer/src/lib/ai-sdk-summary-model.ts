import { APICallError, generateText, JSONParseError, type LanguageModel, TypeValidationError } from "ai";
import { stopReasonOf } from "./ai-sdk-stop-reason.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { silentLanguageModel } from "./silent-language-model.ts";
import type { SummaryModel, SummaryModelUsage } from "./summary-model.ts";
import { SummaryModelError } from "./summary-model-error.ts";

export interface AiSdkSummaryModelOptions {
  /** Tokens the model reads and writes in one request. The SDK does not know it. */
  readonly contextWindow: number;
  /** Tokens the model can write in one answer. */
  readonly maxOutputTokens: number;
  /** The provider's default if it is absent. */
  readonly temperature?: number | undefined;
  /** Handed to the provider as they are, for example to turn reasoning down. */
  readonly providerOptions?: Parameters<typeof generateText>[0]["providerOptions"];
}

/**
 * Makes a summary model from any language model of the Vercel AI SDK. The SDK's own retries are off: the chain has
 * its own, on its own clock. No tools are sent. A provider's warnings, which the SDK would print to the console, are
 * taken off; its own note that a model is of the older specification `v2` names the model only and stays.
 */
export function createAiSdkSummaryModel(languageModel: LanguageModel, options: AiSdkSummaryModelOptions): SummaryModel {
  const { contextWindow, maxOutputTokens, temperature, providerOptions } = options;
  return {
    contextWindow,
    maxOutputTokens,
    ...(typeof languageModel === "string"
      ? { modelId: languageModel }
      : { providerId: languageModel.provider, modelId: languageModel.modelId }),
    async complete(request, { signal }) {
      try {
        const result = await generateText({
          model: silentLanguageModel(languageModel),
          system: request.system,
          prompt: request.prompt,
          maxOutputTokens: request.maxOutputTokens,
          maxRetries: 0,
          abortSignal: signal,
          ...(temperature !== undefined && { temperature }),
          ...(providerOptions !== undefined && { providerOptions }),
        });
        const stopReason = stopReasonOf(result.finishReason, result.rawFinishReason);
        if (stopReason === "error") throw new SummaryModelError("transport");
        return {
          text: result.text,
          // Some servers say that the model stopped when it called a tool.
          stopReason: result.toolCalls.length > 0 ? "tool" : stopReason,
          usage: usageOf(result.usage),
        };
      } catch (error) {
        throw toSummaryModelError(error);
      }
    },
  };
}

function usageOf(usage: {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}): SummaryModelUsage | undefined {
  const { inputTokens, outputTokens } = usage;
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}

function toSummaryModelError(error: unknown): SummaryModelError {
  if (error instanceof SummaryModelError) return error;
  if (!APICallError.isInstance(error)) {
    // A connection that breaks while the body is read, or a body that is not what the protocol says.
    const isBroken =
      error instanceof TypeError ||
      JSONParseError.isInstance(error) ||
      TypeValidationError.isInstance(error) ||
      isBrokenConnection(error);
    return new SummaryModelError(isBroken ? "transport" : "rejected", { cause: error });
  }
  const status = error.statusCode;
  const details = { status, retryAfterMs: retryAfterMs(error.responseHeaders ?? {}), cause: error };
  if (isContextOverflow(error)) return new SummaryModelError("overflow", details);
  if (isTransport(status)) return new SummaryModelError("transport", details);
  return new SummaryModelError(
    contentFilter.test(`${error.message}\n${error.responseBody}`) ? "filtered" : "rejected",
    details,
  );
}

/** What sockets, and time limits of a library or a proxy, throw. An abort of ours is known before anybody looks here. */
function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError" || error.name === "AbortError") return true;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(?:ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_)/.test(code) ||
    isBrokenConnection(error.cause)
  );
}

const contentFilter = /content[_ ]filter|content management policy|content policy|responsible ?ai|safety system/i;

/** No status is a connection that failed, a status below 400 an answer that could not be read. */
function isTransport(status: number | undefined): boolean {
  return status === undefined || status < 400 || [408, 409, 429].includes(status) || status >= 500;
}

/**
 * `Retry-After` in seconds or as a date, and the form in milliseconds that some providers send. `undefined` for what
 * names no time to come.
 */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (milliseconds > 0) return milliseconds;
  const value = headers["retry-after"]?.trim() ?? "";
  if (value === "") return undefined;
  const seconds = Number(value);
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return waitMs > 0 ? waitMs : undefined;
}

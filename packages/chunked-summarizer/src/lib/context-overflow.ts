/** One provider's way of saying that a request did not fit the context window. */
export interface OverflowForm {
  readonly provider: string;
  /** Matches the error's message, its code or its body. */
  readonly pattern: RegExp;
  /** An error of the shape the provider sends, which the pattern matches. */
  readonly example: { readonly status: number; readonly body: string };
}

/**
 * How the well-known providers and servers say it. Only what speaks of the context window: a rate limit on tokens and an
 * output limit that is set too high are other errors, and a smaller request does not mend them.
 */
export const overflowForms: readonly OverflowForm[] = [
  {
    provider: "OpenAI, Azure OpenAI, DeepSeek, vLLM, OpenRouter",
    pattern: /maximum context length is [\d,]+/i,
    example: {
      status: 400,
      body: '{"error":{"message":"This model\'s maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens.","type":"invalid_request_error","param":"messages","code":null}}',
    },
  },
  {
    provider: "OpenAI, Groq, Cerebras",
    pattern: /\bcontext_length_exceeded\b/,
    example: {
      status: 400,
      body: '{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","code":"context_length_exceeded"}}',
    },
  },
  {
    provider: "OpenAI Responses",
    pattern: /exceeds the context window of this model/i,
    example: {
      status: 400,
      body: '{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error"}}',
    },
  },
  {
    provider: "Anthropic",
    pattern: /prompt is too long: [\d,]+ tokens/i,
    example: {
      status: 400,
      body: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209310 tokens > 200000 maximum"}}',
    },
  },
  {
    provider: "Anthropic",
    pattern: /input length and `?max_tokens`? exceed context limit/i,
    example: {
      status: 400,
      body: '{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"}}',
    },
  },
  {
    provider: "Anthropic",
    pattern: /\brequest_too_large\b/,
    example: {
      status: 413,
      body: '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
    },
  },
  {
    provider: "Google Gemini, Vertex AI",
    pattern: /input token count.{0,20} exceeds the maximum number of tokens allowed/i,
    example: {
      status: 400,
      body: '{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}',
    },
  },
  {
    provider: "Amazon Bedrock",
    pattern: /input is too long for requested model|too many input tokens/i,
    example: { status: 400, body: '{"message":"Input is too long for requested model."}' },
  },
  {
    provider: "Mistral",
    pattern: /too large for model with [\d,]+ maximum context length/i,
    example: {
      status: 400,
      body: '{"object":"error","message":"Prompt contains 40411 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error"}',
    },
  },
  {
    provider: "xAI",
    pattern: /maximum prompt length is [\d,]+/i,
    example: {
      status: 400,
      body: '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt length is 131072 but the request contains 140213 tokens."}',
    },
  },
  {
    provider: "GitHub Copilot",
    pattern: /prompt token count of [\d,]+ exceeds the limit/i,
    example: {
      status: 400,
      body: '{"error":{"message":"prompt token count of 133251 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
    },
  },
  {
    provider: "Moonshot",
    pattern: /exceeded model token limit/i,
    example: {
      status: 400,
      body: '{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144","type":"invalid_request_error"}}',
    },
  },
  {
    provider: "MiniMax",
    pattern: /context window exceeds limit/i,
    example: {
      status: 400,
      body: '{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)"}}',
    },
  },
  {
    provider: "Cohere",
    pattern: /too many tokens: .*cannot exceed/i,
    example: {
      status: 400,
      body: '{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292."}',
    },
  },
  {
    provider: "Together, Hugging Face text generation inference",
    pattern: /`?inputs`? tokens \+ `?max_new_tokens`? must be <=/i,
    example: {
      status: 422,
      body: '{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8008 `inputs` tokens and 1024 `max_new_tokens`"}}',
    },
  },
  {
    provider: "llama.cpp",
    pattern: /exceeds the available context size|\bexceed_context_size_error\b/i,
    example: {
      status: 400,
      body: '{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error"}}',
    },
  },
  {
    provider: "LM Studio",
    pattern: /tokens to keep from the initial prompt is greater than the context length/i,
    example: {
      status: 400,
      body: '{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length."}',
    },
  },
  {
    provider: "Ollama",
    pattern: /prompt too long; exceeded (?:max )?context length/i,
    example: { status: 400, body: '{"error":"prompt too long; exceeded max context length by 1204 tokens"}' },
  },
];

/**
 * Whether an error of any client library says that the request was larger than the model's context window. It looks at
 * messages, codes and bodies, also of the causes; the error itself is not kept.
 */
export function isContextOverflow(error: unknown): boolean {
  const words = wordsOf(error, new Set());
  if (/rate.?limit|per min(?:ute)?\b|\bTPM\b/i.test(words)) return false;
  return overflowForms.some(({ pattern }) => pattern.test(words));
}

/** Fields in which client libraries keep what a provider said. */
const tellingFields = ["message", "code", "type", "body", "responseBody", "data", "error", "cause", "errors"];

function wordsOf(value: unknown, seen: Set<unknown>): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || seen.has(value) || seen.size > 50) return "";
  seen.add(value);
  if (Array.isArray(value)) return value.map((element) => wordsOf(element, seen)).join("\n");
  const fields = value as Readonly<Record<string, unknown>>;
  return tellingFields.map((field) => wordsOf(fields[field], seen)).join("\n");
}

import { z } from "zod";
import type { Message } from "./message.ts";

const knownPartTypes: ReadonlySet<unknown> = new Set(["text", "thinking", "image", "toolCall", "opaque"]);

/** Wraps a part of a type the schema does not know, so that it survives instead of failing the whole message. */
function wrapUnknownPart(part: unknown): unknown {
  const isUnknownPart =
    typeof part === "object" &&
    part !== null &&
    "type" in part &&
    !knownPartTypes.has((part as { type: unknown }).type);
  return isUnknownPart ? { type: "opaque", value: part } : part;
}

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const thinkingPart = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().optional(),
});
const imagePart = z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() });
const toolCallPart = z.looseObject({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const opaquePart = z.looseObject({ type: z.literal("opaque"), value: z.unknown().optional() });

const mediaParts = z.array(
  z.preprocess(wrapUnknownPart, z.discriminatedUnion("type", [textPart, imagePart, opaquePart])),
);
const assistantParts = z.array(
  z.preprocess(wrapUnknownPart, z.discriminatedUnion("type", [textPart, thinkingPart, toolCallPart, opaquePart])),
);

const base = { id: z.string().min(1), timestamp: z.number().optional() };
const tokens = z.number().nonnegative();

const textMessageFields = {
  ...base,
  content: z.union([z.string(), mediaParts]),
  origin: z.literal("injected").optional(),
};

const systemMessage = z.looseObject({ ...textMessageFields, role: z.literal("system") });
const userMessage = z.looseObject({ ...textMessageFields, role: z.literal("user") });
const assistantMessage = z.looseObject({
  ...base,
  role: z.literal("assistant"),
  content: assistantParts,
  stopReason: z.enum(["stop", "toolUse", "length", "error", "aborted", "deferred", "refusal"]),
  usage: z
    .looseObject({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens, totalTokens: tokens })
    .optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
});
const toolResultMessage = z.looseObject({
  ...base,
  role: z.literal("toolResult"),
  toolCallId: z.string(),
  toolName: z.string(),
  content: mediaParts,
  isError: z.boolean(),
});

/**
 * One message from outside. Unknown fields are kept; a part of an unknown type becomes an `opaque` part that holds
 * it; an unknown or missing role is refused, never guessed.
 */
export const messageSchema: z.ZodType<Message> = z.discriminatedUnion("role", [
  systemMessage,
  userMessage,
  assistantMessage,
  toolResultMessage,
]);

/** A list of messages whose ids are unique in it. The empty list is a transcript. */
export const transcriptSchema: z.ZodType<Message[]> = z.array(messageSchema).superRefine((messages, context) => {
  const seen = new Set<string>();
  messages.forEach((message, index) => {
    if (seen.has(message.id)) {
      context.addIssue({ code: "custom", path: [index, "id"], message: `message id ${message.id} is used twice` });
    }
    seen.add(message.id);
  });
});

import type { z } from "zod";
import type { Message } from "./message.ts";
import type { messageSchema, transcriptSchema } from "./schema.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

// What a schema gives is the hand-written type, and may be handed on as one.
const message: Same<z.infer<typeof messageSchema>, Message> = true;
const transcript: Same<z.infer<typeof transcriptSchema>, Message[]> = true;

// A tool result without its role cannot be written.
// @ts-expect-error role is missing
const result: Message = { id: "m7", toolCallId: "c1", toolName: "bash", content: [], isError: false };

export { message, result, transcript };

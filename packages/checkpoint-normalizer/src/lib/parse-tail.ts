import { type Message, messageSchema } from "@holdfast/message-schema";
import type { ReportProblem } from "./checkpoint-diagnostic.ts";
import { isJsonObject } from "./json-value.ts";

export function parseTail(value: unknown, report: ReportProblem): readonly Message[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    report("bad_field", "retainedTail is not a list: ignored", "retainedTail");
    return [];
  }
  const tail: Message[] = [];
  const seen = new Set<string>();
  value.forEach((element: unknown, index) => {
    const message = readMessage(element);
    const field = `retainedTail[${index}]`;
    if (message === undefined) {
      report("bad_message", "not a message this version can read: left out, its role is not guessed", field);
    } else if (seen.has(message.id)) {
      report("bad_message", `a second message with the id ${message.id}: left out`, field);
    } else {
      seen.add(message.id);
      tail.push(message);
    }
  });
  return tail;
}

/** The message as found, with its fields in the order found; only parts of an unknown type are wrapped. */
function readMessage(element: unknown): Message | undefined {
  const parsed = messageSchema.safeParse(element);
  if (!parsed.success || !isJsonObject(element)) return undefined;
  const { content } = parsed.data;
  const found = element.content;
  if (typeof content === "string" || !Array.isArray(found)) return element as unknown as Message;
  const isAsFound = content.every((part, index) => isJsonObject(found[index]) && found[index].type === part.type);
  if (isAsFound) return element as unknown as Message;
  const parts = content.map((part, index) => {
    const before: unknown = found[index];
    return isJsonObject(before) && before.type === part.type ? before : part;
  });
  return { ...element, content: parts } as unknown as Message;
}

import { messageSchema } from "@holdfast/message-schema";

/**
 * Checks what a host hands in as its transcript, each message once: of a list that goes on from the one before only what
 * is new is looked at, so that a turn costs nothing for a long history. Messages are told apart by position and id.
 */
export interface TranscriptCheck {
  /** @throws TypeError for what is no list of messages with unique ids; the text says which message and what it got. */
  check(messages: unknown): void;
}

export function createTranscriptCheck(): TranscriptCheck {
  const ids: string[] = [];
  const positions = new Map<string, number>();
  return {
    check: (messages) => {
      if (!Array.isArray(messages)) throw new TypeError(`messages must be a list of messages, got ${named(messages)}`);
      const list: readonly unknown[] = messages;
      let known = Math.min(ids.length, list.length);
      while (known > 0 && idOf(list[known - 1]) !== ids[known - 1]) known -= 1;
      for (const gone of ids.splice(known)) positions.delete(gone);
      for (let position = known; position < list.length; position += 1) {
        const id = checkedId(list[position], position);
        const first = positions.get(id);
        if (first !== undefined) {
          throw new TypeError(
            `messages[${position}] has the id ${JSON.stringify(id)} of messages[${first}]: ids must be unique in a transcript`,
          );
        }
        positions.set(id, position);
        ids.push(id);
      }
    },
  };
}

function checkedId(message: unknown, position: number): string {
  const parsed = messageSchema.safeParse(message);
  if (parsed.success) return parsed.data.id;
  const [issue] = parsed.error.issues;
  const field = ["", ...(issue?.path ?? [])].join(".");
  throw new TypeError(
    `messages[${position}]${field}: ${issue?.message ?? "unreadable"}. Every message must be one of @holdfast/message-schema, this is ${named(message)}`,
  );
}

function idOf(message: unknown): unknown {
  return isObject(message) ? message.id : undefined;
}

/** What a value is, without what is said in it. */
function named(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (!isObject(value)) return typeof value;
  const role = "role" in value ? ` of role ${JSON.stringify(value.role)}` : "";
  return `an object${role} with the fields ${Object.keys(value).join(", ") || "none"}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { Message } from "@holdfast/message-schema";
import { grouped } from "./table.ts";

/**
 * How a message is named to a person, the same in every command: by its id, and by how many messages of the conversation
 * go up to it. An id of the form `#N` was given by the reader: it says the record of the file, not the place in the
 * conversation. In JSON an `index` counts from 0.
 */
export function messagePlace(messages: readonly Message[], index: number): string {
  const message = messages[index];
  return message === undefined
    ? "no message"
    : `message ${message.id} (${grouped(index + 1)} of ${grouped(messages.length)})`;
}

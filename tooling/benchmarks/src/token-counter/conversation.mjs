import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readTranscript } from "@holdfast/transcripts";

const sessions = fileURLToPath(new URL("../../../../../shared/sessions/open/", import.meta.url));

/**
 * The first `length` messages of the recorded sessions, as one conversation; undefined where none are laid out.
 *
 * @param {number} length
 */
export async function readConversation(length) {
  if (!existsSync(sessions)) return undefined;
  /** @type {import("@holdfast/message-schema").Message[]} */
  const messages = [];
  for (const name of readdirSync(sessions).sort()) {
    const { conversations } = await readTranscript(sessions + name);
    for (const conversation of conversations) {
      for (const message of conversation.messages) {
        if (messages.length === length) return messages;
        messages.push({ ...message, id: `m${messages.length}` });
      }
    }
  }
  return messages;
}

import type { UserContentPart } from "@holdfast/message-schema";

/**
 * Texts that Claude Code writes into the user's role: local commands and their output (a command that sends a prompt
 * starts with `<command-message>` and is a request), notices of interrupts, reminders.
 */
const injectedText =
  /^\s*(?:\[Request interrupted by user|<(?:local-command-|command-name>|bash-(?:input|stdout|stderr)>|system-reminder>|task-notification>|user-memory-input>))/;

export function isInjectedContent(content: string | readonly UserContentPart[]): boolean {
  if (typeof content === "string") return injectedText.test(content);
  return content.length > 0 && content.every((part) => part.type === "text" && injectedText.test(part.text));
}

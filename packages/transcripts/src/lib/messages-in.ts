import { list, property } from "./json-value.ts";

/** The messages of a document that is a list of them or holds one under `messages`; `undefined` for any other. */
export function messagesIn(document: unknown): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document;
  const messages = property(document, "messages");
  return Array.isArray(messages) ? messages : undefined;
}

/** Most of the messages have one of `roles`; the reader sets the others aside. */
export function haveRoles(messages: readonly unknown[], roles: ReadonlySet<unknown>): boolean {
  return messages.filter((message) => roles.has(property(message, "role"))).length * 2 > messages.length;
}

/** The types of all content parts. */
export function partTypes(messages: readonly unknown[]): ReadonlySet<unknown> {
  return new Set(
    messages.flatMap((message) => list(property(message, "content")).map((part) => property(part, "type"))),
  );
}

import type { AssistantMessage, Message, StopReason } from "@holdfast/message-schema";

/** Short notation for the messages of tests: `u1` a request, `n1` an injected note, `a1[c1,c2]` calls, `r(c1)` a result, `s1` a system message. */
export function transcriptOf(notation: string, options: { readonly text?: (id: string) => string } = {}): Message[] {
  const textOf = options.text ?? ((id) => `text of ${id}`);
  return notation
    .trim()
    .split(/\s+/)
    .map((token, position) => messageOf(token, position, textOf));
}

function messageOf(token: string, position: number, textOf: (id: string) => string): Message {
  const result = /^r\((\w+)\)$/.exec(token)?.[1];
  if (result !== undefined) {
    const content = [{ type: "text" as const, text: textOf(token) }];
    return { id: `r${position}`, role: "toolResult", toolCallId: result, toolName: "read", content, isError: false };
  }
  const [, kind, number, calls, ending] = /^([unas])(\w+)(?:\[([\w,]+)\])?(?::(\w+))?$/.exec(token) ?? [];
  const id = `${kind}${number}`;
  switch (kind) {
    case "u":
      return { id, role: "user", content: textOf(id) };
    case "n":
      return { id, role: "user", content: textOf(id), origin: "injected" };
    case "s":
      return { id, role: "system", content: textOf(id) };
    case "a":
      return assistantOf(id, calls?.split(",") ?? [], ending as StopReason | undefined, textOf);
    default:
      throw new TypeError(`no message is written ${token}`);
  }
}

function assistantOf(
  id: string,
  calls: readonly string[],
  ending: StopReason | undefined,
  textOf: (id: string) => string,
): AssistantMessage {
  return {
    id,
    role: "assistant",
    content: [
      { type: "text", text: textOf(id) },
      ...calls.map((call) => ({
        type: "toolCall" as const,
        id: call,
        name: "read",
        arguments: { path: `${call}.ts` },
      })),
    ],
    stopReason: ending ?? (calls.length > 0 ? "toolUse" : "stop"),
  };
}

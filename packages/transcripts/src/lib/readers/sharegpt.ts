import { callArguments } from "../call-arguments.ts";
import { type ConversationBuilder, createConversationBuilder } from "../conversation-builder.ts";
import { label, list, nonEmpty, property, text } from "../json-value.ts";
import { parseJson } from "../parse-json.ts";
import { resultParts } from "../result-parts.ts";
import type { DocumentReader, ReadReport } from "../transcript-reader.ts";

/** ShareGPT rows: `{ conversations: [{ from, value }] }`, a conversation each. Calls have no ids and pair by order. */
export const shareGpt: DocumentReader = {
  format: "sharegpt",
  layout: "document",
  refuse(document) {
    const rows = rowsOf(document);
    const areRows = rows.every((row) => list(property(row, "conversations")).every(isTurn));
    return rows.length > 0 && areRows ? undefined : "no rows of conversations with from and value";
  },
  read: (document, report) =>
    rowsOf(document).map((row, index) => {
      const builder = createConversationBuilder();
      for (const [ordinal, turn] of list(property(row, "conversations")).entries()) {
        addTurn(builder, turn, ordinal, report);
      }
      return builder.finish(nonEmpty(property(row, "id")) ?? `row-${index}`);
    }),
};

function rowsOf(document: unknown): readonly unknown[] {
  return (Array.isArray(document) ? document : [document]).filter((row) => {
    return Array.isArray(property(row, "conversations"));
  });
}

function isTurn(turn: unknown): boolean {
  return text(property(turn, "from")) !== undefined && text(property(turn, "value")) !== undefined;
}

function addTurn(builder: ConversationBuilder, turn: unknown, ordinal: number, report: ReadReport): void {
  const value = text(property(turn, "value")) ?? "";
  const from = property(turn, "from");
  switch (from) {
    case "system":
      builder.add({ role: "system", content: value }, ordinal);
      return;
    case "human":
    case "user":
      builder.add({ role: "user", content: value }, ordinal);
      return;
    case "gpt":
    case "assistant":
      builder.add({ role: "assistant", content: [{ type: "text", text: value }], stopReason: "stop" }, ordinal);
      return;
    case "function_call": {
      const parsed = parseJson(Buffer.from(value));
      const call = parsed.kind === "value" ? parsed.value : undefined;
      const name = nonEmpty(property(call, "name")) ?? "unknown";
      const args = call === undefined ? value : property(call, "arguments");
      const id = builder.calls.ask({ name });
      const content = [{ type: "toolCall" as const, id, name, ...callArguments(args) }];
      builder.add({ role: "assistant", content, stopReason: "toolUse" }, ordinal);
      return;
    }
    case "observation":
    case "tool":
      builder.add(
        { role: "toolResult", ...builder.calls.answer({}), content: resultParts(value), isError: false },
        ordinal,
      );
      return;
    default:
      report.ignore(label(from));
  }
}

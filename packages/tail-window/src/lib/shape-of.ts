import type { CountTokens, MessageRole, ShapeOf } from "./message-shape.ts";
import type { EditPieces, PieceKind } from "./pieces.ts";
import { shortenTexts } from "./shorten-texts.ts";

/** All that the selector asks of messages whose pieces can be edited. */
export function shapeOf<Base>(role: (message: Base) => MessageRole, editPieces: EditPieces<Base>) {
  const without = <M extends Base>(message: M, isGone: (kind: PieceKind, value: string) => unknown): M =>
    editPieces(message, (kind, value) => (isGone(kind, value) ? undefined : value));
  const valuesOf = (message: Base, isWanted: (kind: PieceKind) => boolean): string[] => {
    const values: string[] = [];
    without(message, (kind, value) => {
      if (isWanted(kind)) values.push(value);
    });
    return values;
  };
  const isEmpty = (message: Base) =>
    !valuesOf(message, (kind) => kind !== "reasoning")
      .join("")
      .trim();
  const idsOf = (wanted: PieceKind) => (message: Base) => valuesOf(message, (kind) => kind === wanted);
  const withoutIds =
    (wanted: PieceKind) =>
    <M extends Base>(message: M, ids: readonly string[]): M => {
      const gone = [...ids];
      // Of pieces with one id the last ones go.
      const kept = idsOf(wanted)(message)
        .reverse()
        .filter((id) => !gone.includes(id) || !gone.splice(gone.indexOf(id), 1));
      return without(message, (kind, id) => kind === wanted && (kept.at(-1) !== id || kept.pop() === undefined));
    };
  return {
    role,
    isEmpty,
    toolCallIds: idsOf("callId"),
    toolResultIds: idsOf("resultId"),
    withoutToolCalls: withoutIds("callId"),
    withoutToolResults: withoutIds("resultId"),
    withoutReasoning: <M extends Base>(message: M): M => without(message, (kind) => kind === "reasoning"),
    withoutBlankText: <M extends Base>(message: M): M =>
      without(message, (kind, text) => (kind === "text" || kind === "resultText") && !text.trim()),
    shorten: <M extends Base>(message: M, maxTokens: number, countTokens: CountTokens<M>): M =>
      shortenTexts(message, maxTokens, countTokens, editPieces),
  } satisfies ShapeOf<Base>;
}

import { isBlank } from "./edit.ts";
import type { CountTokens, MessageRole, ShapeOf } from "./message-shape.ts";
import { shortenTexts } from "./shorten-texts.ts";

/**
 * What a message is made of. The value of a piece is its text; of a picture, or another file, its type; of a call or a
 * result the id by which they pair. What a provider's own tool was asked and found is `provided`, and so is what the
 * shape does not know.
 */
export type PieceKind =
  | "text"
  | "argument"
  | "resultText"
  | "picture"
  | "resultPicture"
  | "callId"
  | "resultId"
  | "reasoning"
  | "provided";

/** What becomes of a piece: its value leaves it as it is, another text takes its place, `undefined` takes it out. */
export type EditPiece = (kind: PieceKind, value: string) => string | undefined;

/**
 * Shows every piece of the message in a fixed order and puts back what `edit` makes of it: the one thing that a shape
 * must know of its library. Arguments of calls are shown only where asked for, because they have to be parsed.
 */
export type EditPieces<Base> = <M extends Base>(message: M, edit: EditPiece, editsArguments?: boolean) => M;

/** All that the selector asks of messages whose pieces can be edited. */
export function shapeOf<Base>(role: (message: Base) => MessageRole, editPieces: EditPieces<Base>) {
  const valuesOf = (message: Base, isWanted: (kind: PieceKind) => boolean): string[] => {
    const values: string[] = [];
    editPieces(message, (kind, value) => {
      if (isWanted(kind)) values.push(value);
      return value;
    });
    return values;
  };
  const without = <M extends Base>(message: M, isGone: (kind: PieceKind, value: string) => boolean): M =>
    editPieces(message, (kind, value) => (isGone(kind, value) ? undefined : value));
  const isEmpty = (message: Base) => valuesOf(message, (kind) => kind !== "reasoning").every(isBlank);
  const idsOf = (wanted: PieceKind) => (message: Base) => valuesOf(message, (kind) => kind === wanted);
  const withoutIds =
    (wanted: PieceKind) =>
    <M extends Base>(message: M, ids: readonly string[]): M => {
      const staying = new Map<string, number>();
      for (const id of idsOf(wanted)(message)) staying.set(id, (staying.get(id) ?? 0) + 1);
      for (const id of ids) staying.set(id, (staying.get(id) ?? 0) - 1);
      return without(message, (kind, id) => {
        const left = staying.get(id) ?? 0;
        if (kind === wanted) staying.set(id, left - 1);
        return kind === wanted && left <= 0;
      });
    };
  return {
    role,
    isEmpty,
    toolCallIds: idsOf("callId"),
    toolResultIds: idsOf("resultId"),
    withoutToolCalls: withoutIds("callId"),
    withoutToolResults: withoutIds("resultId"),
    withoutReasoning<M extends Base>(message: M): M {
      // What a provider's own tool found is treated like reasoning, unless there is nothing else.
      const bare = without(message, (kind) => kind === "reasoning" || kind === "provided");
      return isEmpty(bare) ? without(message, (kind) => kind === "reasoning") : bare;
    },
    withoutBlankText: <M extends Base>(message: M): M =>
      without(message, (kind, text) => (kind === "text" || kind === "resultText") && isBlank(text)),
    shorten: <M extends Base>(message: M, maxTokens: number, countTokens: CountTokens<M>): M =>
      shortenTexts(message, maxTokens, countTokens, editPieces),
  } satisfies ShapeOf<Base>;
}

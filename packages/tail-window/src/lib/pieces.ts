/**
 * What a message is made of. The value of a piece is its text; of a call or a result the id by which they pair; of a
 * picture its type. Another file is a picture too, and so is what a provider's own tool was asked and found, and what the
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
  | "reasoning";

/** What becomes of a piece: its value leaves it as it is, another text takes its place, `undefined` takes it out. */
export type EditPiece = (kind: PieceKind, value: string) => string | undefined;

/**
 * Shows every piece of the message in a fixed order and puts back what `edit` makes of it: the one thing that a shape
 * must know of its library. Arguments of calls are shown only where asked for, because they have to be parsed.
 */
export type EditPieces<Base> = <M extends Base>(message: M, edit: EditPiece, editsArguments?: boolean) => M;

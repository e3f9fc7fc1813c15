/** A piece of text. Blank text is legal in a transcript and never sent: providers refuse it. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Reasoning of the model. With a signature it is only valid byte for byte, so it is kept whole or left out whole. */
export interface ThinkingPart {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string | undefined;
}

/** A picture: `data` is base64 without a `data:` prefix. */
export interface ImagePart {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** The model asks for a tool. Ids are unique inside one assistant message only; later messages may use them again. */
export interface ToolCallPart {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A part this schema has no name for, kept as it was found in `value`, so that a round trip loses nothing. */
export interface OpaquePart {
  readonly type: "opaque";
  readonly value?: unknown;
}

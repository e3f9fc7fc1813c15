/** The parts of a content that has parts. What is no object is a part of no known form and is passed over. */
export const partsOf = <P extends object>(content: unknown): readonly P[] =>
  Array.isArray(content) ? content.filter((part: unknown) => Object(part) === part) : [];

/** What a part is in a word, by its type or media type: what is left out is named in its place. */
export const wordFor = (type = ""): string => /image|audio|video/.exec(type)?.[0] ?? "file";

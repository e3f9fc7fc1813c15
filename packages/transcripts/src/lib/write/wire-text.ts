/** Stands where a provider wants text and there is none. */
export const noOutput = "(no output)";

/** Providers refuse text that is only white space. */
export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** The text with every half of a surrogate pair replaced by U+FFFD: providers refuse what is not well-formed Unicode. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** Signed text is valid as it is or not at all. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** A JSON value with all its strings and keys well-formed. */
export function wellFormedJson(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), wellFormedJson(item)]));
}

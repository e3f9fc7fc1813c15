/** What a tool result says that has nothing to say: providers refuse blank text, and the call must have its result. */
export const noOutput = "(no output)";

export const isBlank = (text: unknown): boolean => typeof text !== "string" || text.trim() === "";

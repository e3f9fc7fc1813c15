/** What a value is, for an error that has to say what an option got. Says nothing of what an object holds but its fields. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a promise (is an await missing?)";
  return `an object with the fields ${Object.keys(value).join(", ") || "none"}`;
}

/** What stands in the place of a value: itself, or another one. */
export type ReplaceValue = (value: unknown, key: string, holder: object | undefined) => unknown;

export interface JsonTextOptions {
  /**
   * Asked for each value before its own `toJSON`, with its key (in an array its index) and what holds it, `undefined`
   * for the outermost value. By default nothing is replaced.
   */
  readonly replace?: ReplaceValue | undefined;
}

interface OpenContainer {
  readonly container: object;
  readonly entries: Iterator<readonly [key: string, value: unknown]>;
}

/**
 * The text that `JSON.stringify` writes, and a text also where that throws: at any depth, a bigint as its digits, and
 * `null` where a value stands inside itself. Empty for what has no JSON. It throws only what a `toJSON` or a getter of
 * the value throws, and where the text is too long for a string.
 */
export function jsonText(value: unknown, { replace = (found) => found }: JsonTextOptions = {}): string {
  const pieces: string[] = [];
  // A stack of its own: the engine's is smaller than what a model can nest.
  const open: OpenContainer[] = [];
  const containers = new Set<object>();
  let separator = "";

  function write(found: unknown, key: string, holder: object | undefined): void {
    const entry = jsonValue(replace(found, key, holder), key);
    const inArray = Array.isArray(holder);
    const label = holder === undefined || inArray ? "" : `${JSON.stringify(key)}:`;
    if (typeof entry === "object" && entry !== null && !containers.has(entry)) {
      pieces.push(separator, label, Array.isArray(entry) ? "[" : "{");
      open.push({ container: entry, entries: entriesOf(entry) });
      containers.add(entry);
      separator = "";
      return;
    }
    const text = leafText(entry) ?? (inArray ? "null" : undefined);
    if (text === undefined) return;
    pieces.push(separator, label, text);
    separator = ",";
  }

  write(value, "", undefined);
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const { container, entries } = innermost;
    const next = entries.next();
    if (!next.done) {
      write(next.value[1], next.value[0], container);
      continue;
    }
    pieces.push(Array.isArray(container) ? "]" : "}");
    open.pop();
    containers.delete(container);
    separator = ",";
  }
  return pieces.join("");
}

function jsonValue(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON(key) : value;
}

/** Of an object: one that stands inside itself. */
function leafText(value: unknown): string | undefined {
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "object":
      return "null";
    default:
      return JSON.stringify(value);
  }
}

function* entriesOf(container: object): Generator<readonly [key: string, value: unknown]> {
  if (Array.isArray(container)) {
    for (let index = 0; index < container.length; index++) yield [String(index), container[index]];
  } else {
    for (const key of Object.keys(container)) yield [key, Reflect.get(container, key)];
  }
}

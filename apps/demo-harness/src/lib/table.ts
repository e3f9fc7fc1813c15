import Table from "cli-table3";

/** A plain table of text: no colours and no frames, so that it reads the same in a terminal and in a file. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const plain = new Table({
    head: [...head],
    chars: {
      top: "",
      "top-mid": "",
      "top-left": "",
      "top-right": "",
      bottom: "",
      "bottom-mid": "",
      "bottom-left": "",
      "bottom-right": "",
      left: "",
      "left-mid": "",
      mid: "",
      "mid-mid": "",
      right: "",
      "right-mid": "",
      middle: "  ",
    },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  plain.push(...rows.map((row) => [...row]));
  return plain
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** 12345 → "12,345", whatever the machine's language. */
export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

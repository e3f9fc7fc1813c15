/** Where a command writes: results to stdout, notes about the way there to stderr. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  note(text: string): void;
}

/** Text of a file that is shown must not steer the terminal it is shown on. */
function harmless(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, "\ufffd");
}

export const standardOutput: Output = {
  line: (text = "") => {
    process.stdout.write(`${harmless(text)}\n`);
  },
  json: (value) => {
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  },
  note: (text) => {
    process.stderr.write(`${harmless(text)}\n`);
  },
};

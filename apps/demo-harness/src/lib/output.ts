/** Where a command writes: results to stdout, notes about the way there to stderr. */
export interface Output {
  line(text?: string): void;
  json(value: unknown): void;
  note(text: string): void;
}

export const standardOutput: Output = {
  line: (text = "") => {
    process.stdout.write(`${text}\n`);
  },
  json: (value) => {
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  },
  note: (text) => {
    process.stderr.write(`${text}\n`);
  },
};

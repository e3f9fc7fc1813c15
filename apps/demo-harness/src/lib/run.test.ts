import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Output } from "./output.ts";
import { run } from "./run.ts";

const sample = fileURLToPath(new URL("../../samples/pi-mono-coding-session.jsonl", import.meta.url));
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** What the command writes and how it exits. */
async function holdfast(...args: string[]) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const output: Output = {
    line: (text = "") => stdout.push(text),
    json: (value) => stdout.push(JSON.stringify(value)),
    note: (text) => stderr.push(text),
  };
  const status = await run(args, { output, samplePath: sample });
  return { status, stdout: stdout.join("\n"), stderr: stderr.join("\n") };
}

async function fileWith(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const png = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

describe("bad input exits with 2 and one line that says what is wrong and where", () => {
  const cases: [string, () => Promise<string[]>, RegExp][] = [
    ["a missing file", async () => ["inspect", join(folder, "none.jsonl")], /none\.jsonl/],
    ["an empty file", async () => ["inspect", await fileWith("empty.jsonl", "")], /empty/],
    ["a picture", async () => ["replay", await fileWith("a.png", png)], /a\.png/],
    [
      "half a JSON line",
      async () => ["select", await fileWith("half.jsonl", '{"type":"sess'), "--budget", "9"],
      /half\.jsonl/,
    ],
    ["a directory", async () => ["inspect", folder], /directory|folder/],
    ["a negative budget", async () => ["select", sample, "--budget", "-1"], /--budget/],
    ["a budget that is no number", async () => ["select", sample, "--budget", "many"], /--budget/],
    ["no budget", async () => ["select", sample], /--budget/],
    ["an unknown option", async () => ["inspect", sample, "--colour"], /--colour/],
    ["an unknown command", async () => ["inspekt", sample], /inspekt/],
    ["no file", async () => ["inspect"], /file/],
    ["an unknown policy", async () => ["replay", sample, "--policy", "mine@1"], /--policy.*recent-window@2/],
    ["an unknown failure", async () => ["replay", sample, "--fail", "fire"], /--fail/],
    ["a conversation that is not there", async () => ["replay", sample, "--conversation", "2"], /--conversation 2/],
  ];
  test.each(cases)("%s", async (_, args, expected) => {
    const result = await holdfast(...(await args()));
    expect(result.status).toBe(2);
    expect(result.stdout).toBe("");
    expect(result.stderr.split("\n")).toHaveLength(1);
    expect(result.stderr).toMatch(expected);
    expect(result.stderr).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
  });
});

test("help is no error", async () => {
  expect((await holdfast("--help")).status).toBe(0);
});

test("inspect counts the sample as its manifest does", async () => {
  const { status, stdout } = await holdfast("inspect", sample, "--json");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    format: "pi",
    messages: { total: 990, user: 58, injected: 3, assistant: 484, tool: 448, system: 0 },
    toolCalls: 454,
    pairingProblems: { orphanedResults: 0, unansweredCalls: 6 },
    compactions: [{ tokensBefore: 175004 }, { tokensBefore: 185014 }],
  });
});

test.each([500, 20_000])("select keeps a suffix within a budget of %i and uses at least half of it", async (budget) => {
  const { status, stdout } = await holdfast("select", sample, "--budget", String(budget), "--dump", "--json");
  const window = JSON.parse(stdout);
  expect(status).toBe(0);
  expect(window.tokens).toBeLessThanOrEqual(budget);
  expect(window.tokens).toBeGreaterThanOrEqual(budget / 2);
  expect(window.messages).toHaveLength(window.total - window.startIndex - window.omitted.length);
  expect(window.pairingProblems).toEqual([]);
});

test("a replay leaves its file as it was", async () => {
  const hash = async () =>
    createHash("sha256")
      .update(await readFile(sample))
      .digest("hex");
  const before = await hash();
  expect((await holdfast("replay", sample, "--fail", "provider", "--window", "32000")).status).toBe(0);
  expect(await hash()).toBe(before);
});

test("the demo shows both policies side by side after the failing compaction", async () => {
  const { status, stdout } = await holdfast();
  expect(status).toBe(0);
  const failing = stdout.slice(stdout.indexOf("Compaction 3"));
  expect(failing).toMatch(/outcome +fallback +fallback/);
  expect(failing).toMatch(/reason +summary_provider +summary_provider/);
  expect(failing).toMatch(/next request holds +1 user, 0 assistant, 0 tool +\d+ user, \d\d+ assistant, \d\d+ tool/);
});

test("the picture in the README is what the command prints", async () => {
  const readme = await readFile(new URL("../../../../README.md", import.meta.url), "utf8");
  const picture = /```text\n([\s\S]*?)\n```/.exec(readme)?.[1]?.split("\n") ?? [];
  const { stdout } = await holdfast();
  expect(picture.length).toBeGreaterThan(10);
  const printed = new Set(stdout.split("\n"));
  expect(picture.filter((line) => !printed.has(line))).toEqual([]);
});

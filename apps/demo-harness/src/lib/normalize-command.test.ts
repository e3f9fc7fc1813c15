import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { holdfast, png, sample, temporaryFolder } from "./fixtures/command.ts";

const { fileWith } = temporaryFolder();

describe("normalize", () => {
  const record = {
    id: "c:1",
    summary: "Ship it.",
    throughMessageId: "m3",
    tokensBefore: 100,
    retainedTail: [],
    details: { generation: 1 },
    createdAt: "2026-01-01T00:00:00.000Z",
  };
  const line = JSON.stringify(record);
  const newer = JSON.stringify({ ...record, version: 99 });
  const refused = /^ {2}! version: written by a newer version \(99, this reader knows 1\): left as it is$/m;

  test.each([
    ["a record", line, ["record 1:"]],
    ["a record behind a byte order mark", `\ufeff${line}`, ["record 1:"]],
    ["a list of records", `[${line},\n${line}]`, ["record 1:", "record 2:"]],
    [
      "a record a line, with blank lines and line ends of Windows",
      `\r\n${line}\r\n\r\n${line}\r\n`,
      ["line 2:", "line 4:"],
    ],
    ["what the store writes", `\n{"conversationId":"c","writeId":"w","checkpoint":${line}}\n`, ["record 1:"]],
  ])("explains %s and finds nothing wrong", async (_, content, places) => {
    const { status, stdout, stderr } = await holdfast("normalize", await fileWith("records.json", content));
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").filter((text) => !text.startsWith("  "))).toEqual(places);
    expect(stdout).toContain("  It stands for everything up to message m3 (100 tokens before it was made).");
  });

  test("says of every line what is wrong with it, and reads the others", async () => {
    const content = [line, "not JSON", "[]", '{"type":"session"}', newer, line.slice(0, 60), line].join("\n");
    const { status, stdout } = await holdfast("normalize", await fileWith("mixed.jsonl", content), "--json");
    expect(status).toBe(1);
    const { records } = JSON.parse(stdout);
    expect(records.map(({ checkpoint }: { checkpoint: unknown }) => checkpoint !== null)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test.each([
    ["a record", newer],
    ["two records", `${newer}\n${newer}`],
    [
      "a store with two records",
      `\n{"conversationId":"c","checkpoint":${newer}}\n\n{"conversationId":"c","checkpoint":${newer}}`,
    ],
  ])("refuses %s of a newer version, says so, and leaves the file as it was", async (_, content) => {
    const path = await fileWith("newer.jsonl", content);
    const { status, stdout } = await holdfast("normalize", path);
    expect(status).toBe(1);
    expect(stdout).toMatch(refused);
    expect(await readFile(path, "utf8")).toBe(content);
  });

  test.each([
    ["no file", "", /: empty$/],
    ["a picture", png, /: not UTF-8 text$/],
    ["a text", "my notes\n", /: not JSON$/],
    ["a record that breaks off", line.slice(0, 80), /: JSON that breaks off$/],
    [
      "lines that are no records",
      '{"a":1}\n{"b":2}\n',
      /: holds neither checkpoint records nor a session that can be read$/,
    ],
    [
      "a nesting without end",
      `{"details":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      /: nested deeper than 512 levels$/,
    ],
  ])("refuses %s in one line", async (_, content, expected) => {
    const { status, stdout, stderr } = await holdfast("normalize", await fileWith("broken.json", content));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(expected);
    expect(stderr.split("\n")).toHaveLength(1);
  });

  test("bytes that are not UTF-8 cost the line they stand in", async () => {
    const ended = (text: string) => Buffer.from(`${text}\n`);
    const [before = "", after = ""] = line.split("Ship");
    const garbled = [Buffer.from(before), Buffer.from([0xff]), ended(after)];
    const content = Buffer.concat([ended(line), ...garbled, Buffer.from([0xff, 0xfe, 0x0a]), ended(line)]);
    const { status, stdout } = await holdfast("normalize", await fileWith("garbled.jsonl", content), "--json");
    expect(status).toBe(1);
    const { records } = JSON.parse(stdout);
    const wrong = "bytes that are not UTF-8 were read as U+FFFD";
    expect(records).toMatchObject([
      { where: "line 1", problems: [], checkpoint: { summary: "Ship it." } },
      { where: "line 2", problems: [wrong], checkpoint: { summary: "\ufffd it." } },
      { where: "line 3", problems: [wrong, "this is not a checkpoint: a JSON object was expected"], checkpoint: null },
      { where: "line 4", problems: [], checkpoint: { summary: "Ship it." } },
    ]);
  });

  test("a record of a list that has bytes that are not UTF-8 is named", async () => {
    const [before = "", after = ""] = `[${line},${line}]`.split(/Ship(?!.*Ship)/);
    const content = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
    const { status, stdout } = await holdfast("normalize", await fileWith("garbled.json", content));
    expect(status).toBe(1);
    expect(stdout.slice(stdout.indexOf("record 2:"))).toContain("  ! bytes that are not UTF-8 were read as U+FFFD");
    expect(stdout.slice(0, stdout.indexOf("record 2:"))).not.toContain("!");
  });

  test("the store of SQLite is said to be that, and what is read instead", async () => {
    const head = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.from([0x10, 0, 1, 1, 0, 0x40, 0xff])]);
    for (const [name, content] of [
      ["empty.sqlite", head],
      ["filled.sqlite", Buffer.concat([head, Buffer.from(`\n${line}\n${line}\n`)])],
    ] as const) {
      const path = await fileWith(name, content);
      expect(await holdfast("normalize", path)).toEqual({
        status: 2,
        stdout: "",
        stderr: `holdfast: ${path}: is a SQLite file, and normalize reads records as JSON or JSONL`,
      });
    }
  });

  test("an empty list holds no record", async () => {
    const { status, stdout } = await holdfast("normalize", await fileWith("none.json", "[]"));
    expect([status, stdout]).toEqual([0, "There is no compaction and no checkpoint record in it."]);
  });

  test("makes checkpoints of another tool's compactions, each on the one before", async () => {
    const { status, stdout } = await holdfast("normalize", sample, "--json");
    expect(status).toBe(0);
    const { records } = JSON.parse(stdout);
    expect(records.map((found: { where: string }) => found.where)).toEqual([
      expect.stringMatching(/^compaction after message #358 \(354 of 990\) in conversation /),
      expect.stringMatching(/^compaction after message #627 \(622 of 990\) in conversation /),
    ]);
    expect(
      records.map(
        ({ checkpoint }: { checkpoint: { details: { generation: number } } }) => checkpoint.details.generation,
      ),
    ).toEqual([1, 2]);
  });

  test("says why no checkpoint can be made of a compaction", async () => {
    const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" };
    const request = { type: "message", id: "a", parentId: null, message: { role: "user", content: "Hi." } };
    const compaction = {
      type: "compaction",
      id: "b",
      parentId: "a",
      firstKeptEntryId: "a",
      summary: "S",
      tokensBefore: 1,
    };
    const content = [header, request, compaction].map((entry) => JSON.stringify(entry)).join("\n");
    const { status, stdout } = await holdfast("normalize", await fileWith("pi.jsonl", content));
    expect([status, stdout]).toEqual([
      1,
      "compaction after message a (1 of 1) in conversation s:\n  ! no checkpoint is made: nothing lies before it",
    ]);
  });
});

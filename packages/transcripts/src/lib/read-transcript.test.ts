import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownFormats } from "./built-in-readers.ts";
import { jsonLines } from "./fixtures/json-lines.ts";
import { readTranscript } from "./read-transcript.ts";
import { TranscriptError } from "./transcript-error.ts";
import type { LineReader } from "./transcript-reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const header = '{"type":"session","id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}';
const userLine = '{"type":"message","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}';

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "transcripts-")), "session.jsonl");
  await writeFile(path, content);
  return path;
}

test("a missing file is said to be missing", async () => {
  await expect(readTranscript("/no/such/file")).rejects.toMatchObject({
    code: "not_found",
    message: "/no/such/file: no such file",
  });
});

test("a directory that is no session is refused", async () => {
  const directory = await mkdtemp(join(tmpdir(), "transcripts-"));
  await expect(readTranscript(directory)).rejects.toMatchObject({ code: "is_directory" });
});

test("an empty file is said to be empty", async () => {
  const path = await fileWith("");
  await expect(readTranscript(path)).rejects.toMatchObject({ code: "empty", message: `${path}: empty` });
});

test("a picture is said to be no text", async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  await expect(readTranscript(await fileWith(png))).rejects.toMatchObject({ code: "binary" });
});

test("a file of half a JSON line is an error", async () => {
  await expect(readTranscript(bytes(userLine.slice(0, 60)))).rejects.toMatchObject({ code: "not_json" });
});

test("half a line at the end of a good session is a diagnostic", async () => {
  const file = await readTranscript(bytes(`${header}\n${userLine}\n${userLine.slice(0, 60)}`));
  expect(file.conversations[0]?.messages).toHaveLength(1);
  expect(file.diagnostics).toEqual([{ line: 3, problem: "JSON that breaks off", action: "set aside" }]);
});

test("JSON of no known format is said to be that in a short line, with why each format was refused beside it", async () => {
  const error: unknown = await readTranscript(bytes('{"a":1}')).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "unknown_format",
    message: "input: JSON of no known format (26 were tried)",
  });
  const refusals = error instanceof TranscriptError ? error.refusals : [];
  expect(refusals[0]).toEqual({
    format: "pi",
    reason: "no session header with a cwd and no message entry with a role",
  });
  expect(refusals.map(({ format }) => format)).toEqual(knownFormats);
  expect(refusals.filter(({ reason }) => reason.trim() === "")).toEqual([]);
});

test("a reader of one's own is asked first", async () => {
  const notes: LineReader = {
    format: "notes",
    layout: "lines",
    refuse: (sample) => (sample.every((value) => typeof value === "string") ? undefined : "not strings"),
    open: () => ({
      record: () => {},
      finish: () => [{ id: "notes", messages: [], compactions: [] }],
    }),
  };
  expect((await readTranscript(bytes('"one"\n"two"\n'), { readers: [notes] })).format).toBe("notes");
});

test("a broken line with megabytes of blanks or NULs in it costs no more than its length", async () => {
  const blanks = `{"a":${" ".repeat(3_000_000)}x}`;
  const nuls = `{"a":"${"\0".repeat(3_000_000)}"}`;
  const file = await readTranscript(bytes([header, blanks, userLine, nuls].join("\n")));
  expect(file.conversations[0]?.messages).toHaveLength(1);
  expect(file.diagnostics.map(({ line }) => line)).toEqual([2, 4]);
});

test("text of another kind is said to be no JSON", async () => {
  await expect(readTranscript(bytes("# Notes\n\nNone."))).rejects.toMatchObject({ code: "not_json" });
});

test("bytes that are not UTF-8 are read as U+FFFD, and said", async () => {
  const damaged = Buffer.from(`${header}\n${userLine}`);
  damaged[damaged.length - 5] = 0xff;
  const file = await readTranscript(damaged);
  expect(file.conversations[0]?.messages[0]?.content).toContain("\uFFFD");
  expect(file.diagnostics).toEqual([{ line: 2, problem: "bytes that are not UTF-8", action: "read as U+FFFD" }]);
});

test("progress is told as bytes come in, with the total where it is known", async () => {
  const path = await fileWith(`${header}\n${userLine}\n`);
  const seen: unknown[] = [];
  await readTranscript(path, { onProgress: (bytesRead, totalBytes) => seen.push([bytesRead, totalBytes]) });
  const size = header.length + userLine.length + 2;
  expect(seen).toEqual([[size, size]]);
});

test("a stream is read as a file is", async () => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of [header, "\n", userLine.slice(0, 50), userLine.slice(50)]) controller.enqueue(bytes(piece));
      controller.close();
    },
  });
  expect((await readTranscript(stream)).conversations[0]?.messages).toHaveLength(1);
});

test("a session without a message is a session", async () => {
  expect((await readTranscript(bytes(header))).conversations).toEqual([{ id: "s1", messages: [], compactions: [] }]);
});

test("what is no path, no bytes and no stream is a programmer's mistake", async () => {
  // @ts-expect-error: a number is nothing that can be read.
  await expect(readTranscript(5)).rejects.toThrow(
    "readTranscript takes a path, bytes or a stream of bytes, not number",
  );
});

test("a log of records that no reader knows is refused without reading on", async () => {
  let chunksAsked = 0;
  async function* manyRecords() {
    for (let chunk = 0; chunk < 50; chunk += 1) {
      chunksAsked += 1;
      yield bytes(Array.from({ length: 100 }, (_, index) => `{"unknown":${chunk * 100 + index}}\n`).join(""));
    }
  }
  await expect(readTranscript(manyRecords())).rejects.toMatchObject({ code: "unknown_format" });
  expect(chunksAsked).toBeLessThan(5);
});

test("twenty thousand rows that all have the same id are conversations with ids of their own", async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => ({
    id: "chat",
    messages: [{ role: "user", content: `${row}` }],
  }));
  const { conversations } = await readTranscript(jsonLines(...rows));
  expect(new Set(conversations.map(({ id }) => id)).size).toBe(20_000);
  expect(conversations.slice(0, 3).map(({ id }) => id)).toEqual(["chat", "chat#2", "chat#3"]);
});

test("one message with thirty thousand results gives each result an id of its own", async () => {
  const content = Array.from({ length: 30_000 }, (_, call) => ({
    type: "tool_result",
    tool_use_id: `c${call}`,
    content: "",
  }));
  const { conversations } = await readTranscript(jsonLines([{ role: "user", content }]));
  const ids = conversations[0]?.messages.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(30_000);
  expect(ids.slice(0, 3)).toEqual(["#0", "#0.2", "#0.3"]);
});

test("an error is one line, whatever the path, and says what a reader of one's own does", async () => {
  await expect(readTranscript("/nowhere/a\nb.jsonl")).rejects.toThrow("/nowhere/a b.jsonl: no such file");
  const mine: LineReader = { format: "mine", layout: "lines", refuse: () => "not\nmine", open: () => neverOpened() };
  await expect(readTranscript(bytes('{"a":1}'), { readers: [mine] })).rejects.toMatchObject({
    message: "input: JSON of no known format (27 were tried)",
    refusals: [{ format: "mine", reason: "not\nmine" }, { format: "pi" }, ...knownFormats.slice(1).map(() => ({}))],
  });
});

function neverOpened(): never {
  throw new Error("a reader that refused was opened");
}

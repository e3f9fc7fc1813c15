import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTranscript } from "./read-transcript.ts";
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

test("JSON of no known format names the formats that were tried and why each was refused", async () => {
  await expect(readTranscript(bytes('{"a":1}'))).rejects.toMatchObject({
    code: "unknown_format",
    message: expect.stringContaining("pi (no session header with a cwd and no message entry with a role)"),
  });
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

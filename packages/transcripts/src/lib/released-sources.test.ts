import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTranscript } from "./read-transcript.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

/** More lines than a format is told from, so that a reading that fails has not come to their end. */
const unknownLines = Array.from({ length: 200 }, (_, index) => `{"unknown":${index}}\n`).join("");

/** Where the system lists the open files of this process: Linux. */
const canSeeOpenFiles = process.platform === "linux";

function openTimes(path: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      // The listing itself was one of them.
      return false;
    }
  }).length;
}

async function unknownFile(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "transcripts-")), "log.jsonl");
  await writeFile(path, unknownLines);
  return path;
}

function failing(place: "refuse" | "record" | "finish"): TranscriptReader {
  const failAt = (here: string) => {
    if (here === place) throw new Error(`failed in ${place}`);
  };
  return {
    format: "failing",
    layout: "lines",
    refuse() {
      failAt("refuse");
      return undefined;
    },
    open: () => ({
      record: () => failAt("record"),
      finish() {
        failAt("finish");
        return [];
      },
    }),
  };
}

test.skipIf(!canSeeOpenFiles)("twenty files of an unknown format leave no file open", async () => {
  const path = await unknownFile();
  for (let call = 0; call < 20; call += 1) {
    await expect(readTranscript(path)).rejects.toMatchObject({ code: "unknown_format" });
  }
  expect(openTimes(path)).toBe(0);
});

test.skipIf(!canSeeOpenFiles).each(["refuse", "record", "finish"] as const)(
  "a reader of one's own that throws in `%s` leaves no file open",
  async (place) => {
    const path = await unknownFile();
    await expect(readTranscript(path, { readers: [failing(place)] })).rejects.toThrow(`failed in ${place}`);
    expect(openTimes(path)).toBe(0);
  },
);

test.skipIf(!canSeeOpenFiles)("a progress callback that throws, to stop the reading, leaves no file open", async () => {
  const path = await unknownFile();
  const stop = () => {
    throw new Error("stopped");
  };
  await expect(readTranscript(path, { onProgress: stop })).rejects.toThrow("stopped");
  expect(openTimes(path)).toBe(0);
});

test("a stream of an unknown format is cancelled, so that what feeds it can stop", async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(unknownLines));
    },
    cancel() {
      isCancelled = true;
    },
  });
  await expect(readTranscript(stream)).rejects.toMatchObject({ code: "unknown_format" });
  expect(isCancelled).toBe(true);
});

test("an iterable of bytes is ended when a reader throws", async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield new TextEncoder().encode(unknownLines);
    } finally {
      isEnded = true;
    }
  }
  await expect(readTranscript(endless(), { readers: [failing("record")] })).rejects.toThrow("failed in record");
  expect(isEnded).toBe(true);
});

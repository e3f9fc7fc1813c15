import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { carriedSummary } from "./carried-summary.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { ids } from "./fixtures/conversation.ts";
import { normalizeCheckpoint } from "./normalize-checkpoint.ts";
import { parseCheckpoint } from "./parse-checkpoint.ts";
import { summaryMessage } from "./summary-message.ts";

// Records as they were written. Nobody edits one: a new layout is a new file beside them.
const directory = new URL("./fixtures/records/", import.meta.url);

function readStored(name: string): Checkpoint {
  const stored: unknown = JSON.parse(readFileSync(new URL(name, directory), "utf8"));
  const parsed = parseCheckpoint(stored);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  expect(JSON.stringify(parsed.checkpoint)).toBe(JSON.stringify(stored));
  expect(parsed.diagnostics).toEqual([]);
  return parsed.checkpoint;
}

function replayed(name: string): string[] {
  return ids(normalizeCheckpoint(readStored(name)).checkpoint.retainedTail);
}

describe("every record ever written still reads, and means what it meant", () => {
  test("all of them are looked at here", () => {
    expect(readdirSync(directory).sort()).toEqual([
      "v0-several-requests.json",
      "v1-fresh-window.json",
      "v1-recent-window-fallback.json",
      "v1-success.json",
    ]);
  });

  test("a fallback's window comes back whole, its usage gone, its summary carried on", () => {
    const { checkpoint } = normalizeCheckpoint(readStored("v1-recent-window-fallback.json"));
    expect(ids(checkpoint.retainedTail)).toEqual(["m3", "m4", "m5", "m6"]);
    expect(checkpoint.retainedTail[1]).not.toHaveProperty("usage");
    expect(carriedSummary(checkpoint)).toBe(
      "## Goal\nMove the cache to disk.\n\n## Progress\nThe index is written.\n\n## Next steps\nRead it back.",
    );
  });

  test("a success in mid-turn comes back with its request", () => {
    expect(replayed("v1-success.json")).toEqual(["m3"]);
  });

  test("a fresh window comes back empty and carries nothing on", () => {
    expect(replayed("v1-fresh-window.json")).toEqual([]);
    expect(carriedSummary(readStored("v1-fresh-window.json"))).toBeUndefined();
  });

  test("a record from before modes and markers comes back with its latest request, its old notice still in view", () => {
    expect(replayed("v0-several-requests.json")).toEqual(["m3"]);
    const record = readStored("v0-several-requests.json");
    expect(carriedSummary(record)).toBe("The user is moving a cache to disk; the index is written.");
    expect(summaryMessage(record).content).toContain("An old notice that stood in front.");
  });
});

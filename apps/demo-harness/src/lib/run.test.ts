import { createHash } from "node:crypto";
import { open, readFile, symlink } from "node:fs/promises";
import { readTranscript } from "@holdfast/transcripts";
import { describe, expect, test, vi } from "vitest";
import { holdfast, png, sample, temporaryFolder } from "./fixtures/command.ts";

const { pathTo, fileWith } = temporaryFolder();

async function conversation(path: string) {
  return { messages: (await readTranscript(path)).conversations[0]?.messages ?? [] };
}

describe("bad input exits with 2 and one line that says what is wrong and where", () => {
  const cases: [string, () => Promise<string[]>, RegExp][] = [
    ["a missing file", async () => ["inspect", pathTo("none.jsonl")], /none\.jsonl/],
    ["an empty file", async () => ["inspect", await fileWith("empty.jsonl", "")], /empty/],
    ["a picture", async () => ["replay", await fileWith("a.png", png)], /a\.png/],
    [
      "half a JSON line",
      async () => ["select", await fileWith("half.jsonl", '{"type":"sess'), "--budget", "9"],
      /half\.jsonl/,
    ],
    ["a directory", async () => ["inspect", pathTo()], /directory|folder/],
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

test.each(["--help", "-h", "help"])("%s lists the commands and is no error", async (...args) => {
  const { status, stdout, stderr } = await holdfast(...args);
  expect([status, stderr]).toEqual([0, ""]);
  for (const command of ["inspect", "select", "replay", "normalize"]) expect(stdout).toContain(`\n  ${command} `);
});

test.each(["--version", "-V"])("%s prints the version alone", async (flag) => {
  expect(await holdfast(flag)).toEqual({ status: 0, stdout: "1.2.3", stderr: "" });
});

test("help of a command lists its options, and that of inspect the formats", async () => {
  expect((await holdfast("help", "replay")).stdout).toContain("--fail-from <k>");
  expect(await holdfast("inspect", "--help")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Formats: pi, claude-code, codex, .*, openai-chat$/m),
  });
});

test("a file of an unknown format is refused in a short line that says where the formats are listed", async () => {
  const { stderr } = await holdfast("inspect", await fileWith("unknown.json", '{"a":1}'));
  expect(stderr.replace(pathTo(), "")).toBe(
    "holdfast: /unknown.json: JSON of no known format (26 were tried); `holdfast inspect --help` names those that can be read",
  );
});

test("the session of one's own agent is replayed as the session it was made from", async () => {
  const { messages } = await conversation(sample);
  const list = await fileWith("own.json", JSON.stringify({ messages }));
  const lines = await fileWith("own.jsonl", messages.map((message) => JSON.stringify(message)).join("\n"));
  const replayOf = async (path: string) => {
    const { status, stdout, stderr } = await holdfast("replay", path, "--window", "64000", "--json");
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  const replayed = await replayOf(sample);
  expect(replayed.compactions.length).toBeGreaterThan(2);
  const expected = { ...replayed, format: "holdfast" };
  expect(await replayOf(list)).toEqual(expected);
  expect(await replayOf(lines)).toEqual(expected);
});

test("a manual compaction in the middle of a turn says why it was refused, in JSON and in words", async () => {
  const args = ["replay", sample, "--manual-at", "3"];
  const { compactions } = JSON.parse((await holdfast(...args, "--json")).stdout);
  expect(compactions[0]).toMatchObject({ trigger: "manual", outcome: "refused", errorCode: "turn_active" });
  expect((await holdfast(...args)).stdout).toContain("refused (turn_active)");
});

test("the report says how many tokens a fallback kept of its window's budget", async () => {
  const { stdout } = await holdfast("replay", sample, "--window", "32000", "--fail", "provider", "--json");
  const { compactions } = JSON.parse(stdout);
  for (const { retainedTokens, windowBudget } of compactions) {
    expect(retainedTokens).toBeGreaterThan(windowBudget / 2);
    expect(retainedTokens).toBeLessThanOrEqual(windowBudget);
  }
  expect(compactions.length).toBeGreaterThan(3);
});

test("a replay with the store of an earlier one says how many records it goes on from", async () => {
  const store = pathTo("store.jsonl");
  const args = ["replay", sample, "--window", "64000", "--store", store];
  const first = await holdfast(...args, "--json");
  expect(first.stderr).toBe("");
  const count = JSON.parse(first.stdout).compactions.length;
  expect((await holdfast(...args)).stderr).toBe(`--store ${store}: goes on from the ${count} checkpoint records in it`);
});

test("checkpoints are never added to a file that holds something else", async () => {
  for (const content of ["my notes\n", '{"type":"session"}\n', "\n\n[1]\n"]) {
    const path = await fileWith("notes.txt", content);
    const { status, stderr } = await holdfast("replay", sample, "--store", path, "--fail", "provider");
    expect([status, stderr]).toEqual([
      2,
      `holdfast: --store ${path}: is a file of another kind, nothing is written to it`,
    ]);
    expect(await readFile(path, "utf8")).toBe(content);
  }
});

test("a store that cannot be written is refused in one line before anything is replayed", async () => {
  const dangling = pathTo("link.jsonl");
  await symlink(pathTo("not-there", "store.jsonl"), dangling);
  for (const path of [dangling, pathTo("not-there", "store.jsonl"), pathTo()]) {
    const { status, stdout, stderr } = await holdfast("replay", sample, "--window", "32000", "--store", path);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      `holdfast: --store ${path}: ${path === pathTo() ? "is no file" : "cannot be written (ENOENT)"}`,
    );
  }
});

test("a store whose disk is full is said to have taken nothing, and the run has failed", async () => {
  const probe = await open(pathTo("probe"), "a");
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const write = vi.spyOn(Object.getPrototypeOf(probe), "write").mockRejectedValue(full);
  await probe.close();
  const store = pathTo("full.jsonl");
  const turns = Array.from({ length: 10 }, (_, turn) => [
    { id: `u${turn}`, role: "user", content: "Write on. ".repeat(100) },
    {
      id: `a${turn}`,
      role: "assistant",
      content: [{ type: "text", text: "It goes on. ".repeat(100) }],
      stopReason: "stop",
    },
  ]);
  const path = await fileWith("short.json", JSON.stringify(turns.flat()));
  const { status, stdout, stderr } = await holdfast("replay", path, "--window", "4000", "--store", store, "--json");
  write.mockRestore();
  const outcomes = JSON.parse(stdout).compactions.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes).toContain("store_failed");
  expect(outcomes).not.toContain("summary");
  const lost = outcomes.filter((outcome: string) => outcome === "store_failed").length;
  expect(stderr).toBe(`--store ${store}: ${lost} of ${outcomes.length} compactions not stored (ENOSPC)`);
  expect(status).toBe(1);
});

test("a message is named by its id and its place in the conversation, in JSON by index and id", async () => {
  const { messages } = await conversation(sample);
  const args = ["select", sample, "--budget", "3000", "--anchor", "latest-request"];
  const window = JSON.parse((await holdfast(...args, "--json")).stdout);
  expect(messages[window.startIndex]?.id).toBe(window.startId);
  expect(messages[window.anchorIndex]?.id).toBe(window.anchorId);
  for (const { index, id } of window.omitted) expect(messages[index]?.id).toBe(id);
  expect(window.shortenedIds).toEqual(window.shortened.map((index: number) => messages[index]?.id));
  const { stdout } = await holdfast(...args);
  expect(stdout).toContain(`from message ${window.startId} (${window.startIndex + 1} of 990) on`);
  expect(stdout).toContain(`request, message ${window.anchorId} (${window.anchorIndex + 1} of 990).`);
  expect((await holdfast("inspect", sample)).stdout).toContain(
    `Compaction after message ${messages[353]?.id} (354 of 990)`,
  );
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

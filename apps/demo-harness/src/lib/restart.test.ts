import { copyFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message } from "@holdfast/message-schema";
import type { CompactionReport, PreparedRequest } from "@holdfast/runtime-adapter";
import { checkRequest, describeWithSessions } from "@holdfast/test-kit";
import { bundleProcess, type ProcessBundle } from "@holdfast/test-kit/process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NewProcess, startProcess } from "./fixtures/new-process.ts";
import { answeringModel, countMessage, readSession, requestLine, startAgent } from "./fixtures/restarted-agent.ts";
import { revivedRequests } from "./fixtures/revived-requests.ts";
import { type Cut, cutsOf, hasOpenCalls } from "./fixtures/session-cuts.ts";

/** By hand, `HOLDFAST_RUNS=10`: a process for every cut, every policy at every cut, and two requests behind each. */
const isThorough = Number(process.env.HOLDFAST_RUNS ?? 1) > 1;
const cutsPerProcess = isThorough ? 1 : 260;
const timeoutMs = isThorough ? 3_600_000 : 120_000;
/** Cuts at work at a time: while one waits for its process or the disk, the others go on. */
const lanes = 4;
/** Below a cut lies a good summary of all but the newest 40 to 80 messages, so what the cut adds is a fallback. */
const baseEvery = 40;

const sample = fileURLToPath(new URL("../../samples/pi-mono-coding-session.jsonl", import.meta.url));
let bundle: ProcessBundle;
let folder = "";
beforeAll(async () => {
  bundle = await bundleProcess(new URL("./fixtures/restarted-process.ts", import.meta.url));
  folder = bundle.directory;
});
afterAll(() => bundle.remove());

interface Session {
  readonly messages: readonly Message[];
  readonly policyId: string;
  /** Store files by the number of times 40 messages they stand for. */
  readonly bases: readonly string[];
}

async function writeBases(messages: readonly Message[], policyId: string): Promise<readonly string[]> {
  const bases = [join(folder, "no-base.jsonl")];
  for (let length = baseEvery; length < messages.length; length += baseEvery) {
    const storePath = join(folder, `base-${policyId}-${length}.jsonl`);
    await copyIfThere(bases.at(-1), storePath);
    const agent = startAgent({ storePath, policyId, contextWindow: 128_000 }, answeringModel);
    agent.requestNewContext();
    const request = await agent.prepareRequest({ messages: messages.slice(0, length) });
    expect(request.kind === "send" && request.compaction?.outcome).toBe("summary");
    bases.push(storePath);
  }
  return bases;
}

async function copyIfThere(from: string | undefined, to: string): Promise<void> {
  if (from !== undefined && (await sizeOf(from)) > 0) await copyFile(from, to);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => ({ size: 0 }))).size;
}

/**
 * Compacts at the cut with a model that is down and goes on to the next request. Each time a new process that has the
 * file of the store and the file of the session says what it would send.
 */
async function compareAt(cut: Cut, { messages, policyId, bases }: Session, restarted: NewProcess) {
  const base = Math.max(0, Math.floor((cut.length - 1) / baseEvery) - 1);
  const storePath = join(folder, `cut-${policyId}-${cut.index}-${cut.mode}.jsonl`);
  await copyIfThere(bases[base], storePath);
  // A window that is nearly full at the cut.
  const tokens = messages.slice(baseEvery * base, cut.length).reduce((sum, message) => sum + countMessage(message), 0);
  const settings = { storePath, policyId, contextWindow: Math.max(2000, Math.floor(tokens / 0.7)) };
  const agent = startAgent(settings);
  const anchors: (string | null | undefined)[] = [];
  const compare = async (length: number, running: PreparedRequest) => {
    const sizeBefore = await sizeOf(storePath);
    const line = await restarted.ask({ ...settings, length });
    const isSame = line === requestLine(running) && (await sizeOf(storePath)) === sizeBefore;
    // Not the lines themselves: their difference would fill many screens.
    expect({ cut, length, isSame }).toEqual({ cut, length, isSame: true });
    // A request kept ahead of its window stands there without most of its answers, which the notice says.
    anchors.push(reportOf(running)?.anchor);
    // A window this tight may be too small for the next tool result alone.
    const sent = running.kind === "send" ? running.messages : [];
    if (sent.length > 0) expect(checkRequest(sent)).toEqual([]);
    const revived = revivedRequests(sent, messages.slice(0, length)).filter((id) => !anchors.includes(id));
    expect({ cut, length, revived }).toEqual({ cut, length, revived: [] });
  };

  const input = { messages: messages.slice(0, cut.length) };
  // User messages at the end stay behind a boundary, but for an overflow.
  const isOverflow = messages[cut.index]?.role === "user";
  if (!isOverflow) agent.requestNewContext();
  const first = await (isOverflow ? agent.recoverFromOverflow(input) : agent.prepareRequest(input));
  await compare(cut.length, first);

  const turn = messages.findIndex(({ role }, index) => index > cut.length && role === "assistant");
  let before = hasOpenCalls(input.messages) ? undefined : first;
  let current = first;
  const later = isThorough ? [cut.length + 1, turn] : [turn].filter(() => cut.index % 3 === 0);
  for (const length of later) {
    // An attempt that left no record is known to the process that made it alone: another one may try once more.
    if (length <= cut.length || reportOf(current)?.outcome === "failed") break;
    current = await agent.prepareRequest({ messages: messages.slice(0, length) });
    await compare(length, current);
    if (reportOf(current) === undefined && before?.kind === "send") expectPrefix(before, current);
    before = hasOpenCalls(messages.slice(0, length)) ? undefined : current;
  }
  await rm(storePath, { force: true });
  return { cut, report: reportOf(first) };
}

function reportOf(request: PreparedRequest): CompactionReport | undefined {
  return request.kind === "aborted" ? undefined : request.compaction;
}

function expectPrefix(before: PreparedRequest, after: PreparedRequest): void {
  if (before.kind !== "send" || after.kind !== "send") throw new Error(`${before.kind}, ${after.kind}`);
  expect(JSON.stringify(after.messages.slice(0, before.messages.length))).toBe(JSON.stringify(before.messages));
}

/** Every cut, or each `every`th; counts of what the compactions there came to, and the boundaries they left. */
async function compareCuts(path: string, policyId: string, every = 1) {
  const messages = await readSession(path);
  const session = { messages, policyId, bases: await writeBases(messages, policyId) };
  const waiting = cutsOf(messages).filter((_, number) => isThorough || number % every === 0);
  const compared: Awaited<ReturnType<typeof compareAt>>[] = [];
  const lane = async () => {
    for (let next = waiting.splice(0, cutsPerProcess); next.length > 0; next = waiting.splice(0, cutsPerProcess)) {
      const restarted = startProcess(bundle.script, path);
      for (const cut of next) compared.push(await compareAt(cut, session, restarted));
      await restarted.end();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));

  const counts: Record<string, number> = {};
  for (const { cut, report } of compared) {
    expect(report?.mode).toBe(cut.mode);
    const kind = `${cut.mode}: ${report?.outcome}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const transcript = messages.slice(0, cut.length);
    if (report?.outcome !== "fallback" || hasOpenCalls(transcript)) continue;
    expect(report.checkpoint?.throughMessageId).toBe(messages[cut.index]?.id);
  }
  return counts;
}

test(
  "whatever message a failing compaction cuts at, a process that has only the store and the file sends the same bytes",
  async () => {
    const counts = await compareCuts(sample, "recent-window@2");
    // Of 990 messages; behind the first two nothing would become smaller.
    expect(counts).toEqual({
      "active_turn: fallback": 988,
      "active_turn: failed": 2,
      "completed_turn: fallback": 47,
    });
  },
  timeoutMs,
);

test.each(["latest-user@1", "recent-window-ledger@3"])(
  "the same under %s",
  async (policyId) => {
    const counts = await compareCuts(sample, policyId, 18);
    expect(counts["active_turn: fallback"]).toBeGreaterThan(50);
    expect(counts["completed_turn: fallback"]).toBeGreaterThan(1);
    expect(counts["active_turn: failed"] ?? 0).toBeLessThan(3);
  },
  timeoutMs,
);

describeWithSessions("recorded sessions of other formats", (sessionFile) => {
  test.each([
    ["pi-v3__trl__copilot-opus.jsonl", 150],
    ["claude__agentcmd__unanswered-calls.jsonl", 20],
  ])(
    "%s: a process that has only the store and the file sends the same bytes",
    async (name, fallbacks) => {
      const counts = await compareCuts(sessionFile(name), "recent-window@2");
      expect(counts["active_turn: fallback"]).toBeGreaterThan(fallbacks);
    },
    timeoutMs,
  );
});

test("RT-09 between checkpoints each request begins with the one before, also after a restart in the middle", async () => {
  const messages = (await readSession(sample)).slice(0, isThorough ? undefined : 120);
  const settings = { storePath: join(folder, "prefix.jsonl"), policyId: "recent-window@2", contextWindow: 48_000 };
  let agent = startAgent(settings);
  let before: PreparedRequest | undefined;
  let compared = 0;
  for (let length = 1; length <= messages.length; length += 1) {
    if (messages[length]?.role !== "assistant") continue;
    if (length % 7 === 0) agent = startAgent(settings);
    const request = await agent.prepareRequest({ messages: messages.slice(0, length) });
    if (reportOf(request) === undefined && before !== undefined) {
      expectPrefix(before, request);
      compared += 1;
    }
    before = request;
  }
  expect(compared).toBeGreaterThan(30);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AssistantMessage, Message } from "@holdfast/message-schema";
import { describeWithSessions, openSessionsDir } from "@holdfast/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { touchedMessages } from "./fixtures/touched-messages.ts";
import { readTranscript } from "./read-transcript.ts";
import { TranscriptError } from "./transcript-error.ts";
import type { TranscriptFile } from "./transcript-file.ts";

const directory = openSessionsDir() ?? "";
const runsPerFile = Number(process.env.HOLDFAST_RUNS ?? 1);

interface Session {
  readonly name: string;
  readonly lines: readonly string[];
  readonly whole: TranscriptFile;
}

/** The line-based sessions; one whose lines are whole runs is not among them. */
async function readSessions(): Promise<readonly Session[]> {
  const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl") && !name.startsWith("openhands-v0"));
  return Promise.all(
    names.map(async (name) => {
      const text = readFileSync(join(directory, name), "utf8");
      const lines = text.split("\n").filter((line) => line !== "");
      return { name, lines, whole: await readTranscript(Buffer.from(lines.join("\n"))) };
    }),
  );
}

let sessions: Promise<readonly Session[]> | undefined;

function lineSessions(): Promise<readonly Session[]> {
  sessions ??= readSessions();
  return sessions;
}

/** Reads the damaged lines and expects every message that has no part in the touched ones to be as it was. */
async function expectRestUnharmed(session: Session, damaged: readonly string[], touchedLines: readonly number[]) {
  const file = await readTranscript(Buffer.from(damaged.join("\n")));
  const touched = new Set(
    touchedLines.flatMap((ordinal) => [
      ...touchedMessages(session.whole.conversations, { ordinal, text: session.lines[ordinal] ?? "" }),
    ]),
  );
  const read = new Map(file.conversations.flatMap(({ messages }) => messages.map((message) => [message.id, message])));
  for (const { messages } of session.whole.conversations) {
    for (const message of messages) {
      if (touched.has(message.id)) continue;
      const found = read.get(message.id);
      expect(found && ownPart(found, session), `${session.name} ${message.id}`).toEqual(ownPart(message, session));
    }
  }
  return file;
}

/** Codex and Kimi CLI say which model answered, and at what cost, in lines beside the messages. */
function ownPart(message: Message, { whole }: Session): unknown {
  if (whole.format !== "codex" && whole.format !== "kimi-cli") return message;
  const { model: _, provider: __, usage: ___, ...own } = message as Message & Partial<AssistantMessage>;
  return own;
}

/** Runs the damage at a few places of every session, always the same ones. */
async function damageEach(damage: (session: Session, line: number) => Promise<unknown>): Promise<void> {
  for (const session of await lineSessions()) {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: session.lines.length - 1 }), async (line) => void (await damage(session, line))),
      { numRuns: runsPerFile, seed: session.lines.length },
    );
  }
}

function replaced(lines: readonly string[], line: number, ...by: readonly string[]): readonly string[] {
  return lines.toSpliced(line, 1, ...by);
}

describeWithSessions("damaged copies of recorded sessions", () => {
  test("a file that was cut keeps the messages before the cut", async () => {
    await damageEach(async ({ name, lines, whole }, line) => {
      const at = Math.max(line, 6);
      const half = (lines[at] ?? "").slice(0, (lines[at] ?? "").length >> 1);
      const file = await readTranscript(Buffer.from([...lines.slice(0, at), half].join("\n")));
      for (const { id, messages } of file.conversations) {
        const before = whole.conversations.find((conversation) => conversation.id === id)?.messages ?? [];
        // The newest messages may have had more lines behind the cut.
        const settled = messages.slice(0, -8);
        expect(settled, name).toEqual(before.slice(0, settled.length));
      }
    });
  });

  test("a line that was written twice counts once", async () => {
    await damageEach((session, line) => {
      const text = session.lines[line] ?? "";
      return expectRestUnharmed(session, replaced(session.lines, line, text, text), []);
    });
  });

  test("NULs in a line cost that line alone", async () => {
    await damageEach((session, line) => {
      const text = session.lines[line] ?? "";
      const half = text.length >> 1;
      const damaged = `${text.slice(0, half)}\0\0\0${text.slice(half)}`;
      return expectRestUnharmed(session, replaced(session.lines, line, damaged), [line]);
    });
  });

  test("NULs behind a line, as a crashed machine leaves them, cost nothing", async () => {
    await damageEach((session, line) => {
      return expectRestUnharmed(session, replaced(session.lines, line, `${session.lines[line]}\0\0\0\0`), []);
    });
  });

  test("a byte order mark and Windows line ends cost nothing", async () => {
    for (const session of await lineSessions()) {
      const [first = "", ...rest] = session.lines;
      await expectRestUnharmed(
        session,
        [`\uFEFF${first}`, ...rest].map((line) => `${line}\r`),
        [],
      );
    }
  });

  test("two lines in the wrong order leave the others alone", async () => {
    await damageEach((session, line) => {
      const [first = "", second = ""] = session.lines.slice(line, line + 2);
      if (line + 1 >= session.lines.length) return Promise.resolve();
      return expectRestUnharmed(session, session.lines.toSpliced(line, 2, second, first), [line, line + 1]);
    });
  });

  test("a line nested a hundred thousand levels deep costs that line alone", async () => {
    const deep = `{"type":"message","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    await damageEach(async (session, line) => {
      const file = await expectRestUnharmed(session, replaced(session.lines, line, deep), [line]);
      expect(file.diagnostics.map(({ problem }) => problem)).toContain("nested deeper than 512 levels");
    });
  });

  test("keys that reach for the prototype reach nothing", async () => {
    const keys = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},';
    await damageEach(async (session, line) => {
      const damaged = (session.lines[line] ?? "").replaceAll(/\{(?=")/g, () => keys);
      const file = await expectRestUnharmed(session, replaced(session.lines, line, damaged), [line]);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
      for (const { messages } of file.conversations) {
        for (const message of messages) expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
      }
    });
  });

  test("a line of 50 MB is passed by", async () => {
    const [session] = await lineSessions();
    if (!session) throw new Error("no session");
    const huge = `{"type":"progress","data":"${"x".repeat(50_000_000)}"}`;
    await expectRestUnharmed(session, replaced(session.lines, 20, huge), [20]);
  });

  test("a document that was damaged reads, or says in one line why not", async () => {
    const names = readdirSync(directory).filter(
      (name) => /\.(?:json|traj)$/.test(name) || name.startsWith("openhands-v0"),
    );
    for (const name of names) {
      const bytes = readFileSync(join(directory, name));
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: bytes.length }), fc.constantFrom("cut", "nul", "twice"), async (at, damage) => {
          const damaged = {
            cut: bytes.subarray(0, at),
            nul: Buffer.concat([bytes.subarray(0, at), Buffer.from([0, 0]), bytes.subarray(at)]),
            twice: Buffer.concat([bytes, Buffer.from("\n"), bytes]),
          }[damage];
          await readTranscript(damaged).catch((error: unknown) => {
            expect(error).toBeInstanceOf(TranscriptError);
            expect((error as TranscriptError).message).not.toContain("\n");
          });
        }),
        { numRuns: runsPerFile, seed: 7 },
      );
    }
  });

  test("a document with a byte order mark and Windows line ends is the same document", async () => {
    const bytes = readFileSync(join(directory, "anthropic-messages__cline-session.messages.json"), "utf8");
    const damaged = Buffer.from(`\uFEFF${bytes.replaceAll("\n", "\r\n")}`);
    expect(await readTranscript(damaged)).toEqual(await readTranscript(Buffer.from(bytes)));
  });
});

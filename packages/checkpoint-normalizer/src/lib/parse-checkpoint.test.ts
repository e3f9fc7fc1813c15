import { describe, expect, test } from "vitest";
import { assistant, calls, checkpoint, result, user } from "./fixtures/conversation.ts";
import { parseCheckpoint } from "./parse-checkpoint.ts";

const written = checkpoint(
  "m9",
  {
    generation: 3,
    strategy: "summary",
    readFiles: ["a.ts"],
    uncovered: [{ from: "m1", through: "m4" }],
    calibration: 1.1,
  },
  { retainedTail: [user("m7"), calls("m8", "c1"), result("m9", "c1")], providerId: "p", modelId: "m" },
);

function read(value: unknown) {
  const parsed = parseCheckpoint(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return parsed;
}

describe("reading a record", () => {
  test("what was written is read as it was written, to the byte", () => {
    const parsed = read(written);
    expect(parsed.checkpoint).toEqual(written);
    expect(JSON.stringify(parsed.checkpoint)).toBe(JSON.stringify(written));
    expect(parsed.diagnostics).toEqual([]);
  });

  test("fields and messages keep the order in which they were stored", () => {
    const stored = `{"createdAt":"2026-11-30T12:00:00Z","details":{"policy":"x@1","generation":1},"retainedTail":[{"role":"user","content":"go","id":"m1"}],"tokensBefore":5,"throughMessageId":"m1","summary":"s","id":"k"}`;
    expect(JSON.stringify(read(JSON.parse(stored)).checkpoint)).toBe(stored);
  });

  test("nobody else holds the copy", () => {
    const record = structuredClone(written);
    const { checkpoint: copy } = read(record);
    expect(copy.retainedTail[0]).not.toBe(record.retainedTail[0]);
  });

  test("unknown fields are kept, in the record, its details, a message and a part", () => {
    const record = {
      ...written,
      shelf: { life: 3 },
      details: { ...written.details, epoch: -1 },
      retainedTail: [{ ...user("m7", [{ type: "text", text: "go", cached: true } as never]), via: "voice" }],
    };
    expect(read(record).checkpoint).toEqual(record);
    expect(read(record).diagnostics).toEqual([]);
  });

  test("a part of an unknown type is wrapped and says so when it is read again", () => {
    const record = { ...written, retainedTail: [{ ...assistant("m8"), content: [{ type: "audio", data: "…" }] }] };
    const { checkpoint: once } = read(record);
    expect(once.retainedTail[0]?.content).toEqual([{ type: "opaque", value: { type: "audio", data: "…" } }]);
    expect(read(once).checkpoint).toEqual(once);
  });
});

describe("NO-06 records of older or buggy versions", () => {
  test("(a) a free-text summary without details is used as it is", () => {
    const parsed = read({
      id: "k",
      summary: "We were fixing the parser.",
      throughMessageId: "m9",
      createdAt: "2026-01-01T00:00:00Z",
    });
    expect(parsed.checkpoint).toEqual({
      id: "k",
      summary: "We were fixing the parser.",
      throughMessageId: "m9",
      tokensBefore: 0,
      retainedTail: [],
      details: { generation: 0 },
      createdAt: "2026-01-01T00:00:00Z",
    });
    expect(parsed.diagnostics).toEqual([
      { code: "missing_field", checkpointId: "k", field: "tokensBefore", message: "no usable tokensBefore: 0 is used" },
    ]);
  });

  test("(d) a bad optional field is dropped, the rest is used, unknown fields are kept", () => {
    const parsed = read({
      ...written,
      usage: "many",
      modelId: 7,
      details: { ...written.details, generation: -1, readFiles: "a.ts", epoch: -1 },
    });
    expect(parsed.checkpoint.details).toEqual({
      generation: 0,
      strategy: "summary",
      uncovered: [{ from: "m1", through: "m4" }],
      calibration: 1.1,
      epoch: -1,
    });
    expect(parsed.checkpoint).not.toHaveProperty("usage");
    expect(parsed.checkpoint).not.toHaveProperty("modelId");
    expect(parsed.diagnostics.map(({ code, field }) => `${code} ${field}`)).toEqual([
      "bad_field details.generation",
      "bad_field details.readFiles",
      "bad_field usage",
      "bad_field modelId",
    ]);
  });

  test("(f) a record of version 99 is refused with a message that names both versions", () => {
    for (const version of [99, 2, "99", Number.MAX_VALUE]) {
      expect(parseCheckpoint({ ...written, version })).toEqual({
        ok: false,
        diagnostics: [
          {
            code: "newer_version",
            checkpointId: "ck-m9",
            field: "version",
            message: `written by a newer version (${Number(version)}, this reader knows 1): left as it is`,
          },
        ],
      });
    }
  });

  test("a version that is no number is dropped", () => {
    expect(read({ ...written, version: "soon" }).checkpoint).toEqual(written);
    expect(read({ ...written, version: 1 }).checkpoint.version).toBe(1);
  });
});

describe("a record that is damaged", () => {
  test("one unreadable interval makes neither itself nor the other stretches look covered", () => {
    const uncovered = [{ from: "m1", through: "m2" }, { from: "m3" }, { from: "m5", through: "m6", why: "gap" }];
    const parsed = read({ ...written, details: { generation: 1, uncovered } });
    expect(parsed.checkpoint.details.uncovered).toEqual([
      { from: "m1", through: "m2" },
      { from: "m3", through: "" },
      { from: "m5", through: "m6", why: "gap" },
    ]);
    expect(parsed.diagnostics).toHaveLength(1);
  });

  test("when no interval can be read the list counts as unknown, not as empty", () => {
    expect(read({ ...written, details: { generation: 1, uncovered: [{}, 3] } }).checkpoint.details).toEqual({
      generation: 1,
    });
    expect(read({ ...written, details: { generation: 1, uncovered: [] } }).checkpoint.details.uncovered).toEqual([]);
  });

  test("SC-02 a tail message without a usable role is left out, its role is not guessed", () => {
    const bad = [{ id: "m7", toolCallId: "c1", content: "ok" }, { id: "x", role: "assistant", toolCallId: "c1" }, null];
    const parsed = read({ ...written, retainedTail: [...bad, user("m8")] });
    expect(parsed.checkpoint.retainedTail).toEqual([user("m8")]);
    expect(parsed.diagnostics.map(({ field }) => field)).toEqual([
      "retainedTail[0]",
      "retainedTail[1]",
      "retainedTail[2]",
    ]);
  });

  test("a message that stands twice in the tail is read once", () => {
    expect(read({ ...written, retainedTail: [user("m8"), user("m8", "again")] }).checkpoint.retainedTail).toEqual([
      user("m8"),
    ]);
  });

  test("an unknown word is kept and reported", () => {
    const parsed = read({ ...written, details: { generation: 1, failureReason: "provider said: 429" } });
    expect(parsed.checkpoint.details.failureReason).toBe("provider said: 429");
    expect(parsed.diagnostics).toEqual([
      {
        code: "unknown_word",
        checkpointId: "ck-m9",
        field: "details.failureReason",
        message: 'failureReason says "provider said: 429", which this version does not know: kept',
      },
    ]);
  });

  test("without a boundary or a summary there is nothing to use", () => {
    const { throughMessageId: _, ...noBoundary } = written;
    const { summary: __, ...noSummary } = written;
    expect(parseCheckpoint(noBoundary).diagnostics[0]?.code).toBe("missing_field");
    expect(parseCheckpoint(noSummary).ok).toBe(false);
    expect(parseCheckpoint({ ...written, summary: 42 }).ok).toBe(false);
  });

  test("a summary that nobody can read is null, and what stood there is kept", () => {
    const { summary: _, ...noSummary } = written;
    const parsed = read({ ...noSummary, opaque: { encrypted_content: "gAAAA" } });
    expect(parsed.checkpoint.summary).toBeNull();
    expect(parsed.checkpoint.opaque).toEqual({ encrypted_content: "gAAAA" });
  });

  test("what is no record at all is refused in words, whatever it is", () => {
    const cycle: Record<string, unknown> = { id: "k" };
    cycle.self = cycle;
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const values = [
      undefined,
      null,
      0,
      "x",
      [],
      [written],
      () => written,
      1n,
      Symbol("s"),
      cycle,
      hostile,
      { summary: 1n },
    ];
    for (const value of values) {
      const parsed = parseCheckpoint(value);
      expect(parsed.ok).toBe(false);
      expect(parsed.diagnostics).toHaveLength(1);
    }
  });

  test("nesting beyond the stack is refused, not thrown", () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 200_000; depth += 1) nested = [nested];
    expect(parseCheckpoint({ ...written, nested }).ok).toBe(false);
  });

  test("numbers that JSON cannot carry are replaced or dropped", () => {
    const parsed = read({
      ...written,
      tokensBefore: Number.POSITIVE_INFINITY,
      details: { generation: 1, calibration: Number.NaN },
    });
    expect(parsed.checkpoint.tokensBefore).toBe(0);
    expect(parsed.checkpoint.details).toEqual({ generation: 1 });
  });
});

import { transcriptSchema } from "@holdfast/message-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonDocument, jsonLines } from "./fixtures/json-lines.ts";
import { smallDocuments, smallLogs } from "./fixtures/small-sessions.ts";
import { readTranscript } from "./read-transcript.ts";
import { TranscriptError } from "./transcript-error.ts";

const options = { numRuns: 100 * Number(process.env.HOLDFAST_RUNS ?? 1), seed: 5 };

/** Values of every kind that may stand where another was expected. */
const foreignValue = fc.constantFrom<unknown>(
  null,
  -1,
  1e300,
  "",
  "yesterday",
  "\uD800",
  "constructor",
  true,
  [],
  [[null]],
  {},
  { type: "text" },
  { toString: 1, valueOf: 1, toJSON: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
);

interface Damage {
  /** Which of the value's places, counted around. */
  readonly place: number;
  readonly by: unknown;
}

const damages: fc.Arbitrary<readonly Damage[]> = fc.array(fc.record({ place: fc.nat(), by: foreignValue }), {
  minLength: 1,
  maxLength: 6,
});

interface Place {
  readonly holder: object;
  readonly key: string;
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [{ holder: value, key }, ...placesIn(item)]);
}

function damaged<T>(whole: T, list: readonly Damage[]): T {
  const copy = structuredClone(whole);
  const places = placesIn(copy);
  for (const { place, by } of list) {
    const found = places[place % places.length];
    if (found) Object.assign(found.holder, { [found.key]: by });
  }
  return copy;
}

async function expectValidOrRefused(bytes: Uint8Array): Promise<void> {
  const file = await readTranscript(bytes).catch((error: unknown) => {
    expect(error).toBeInstanceOf(TranscriptError);
    return undefined;
  });
  for (const { messages } of file?.conversations ?? []) transcriptSchema.parse(messages);
}

test.each(Object.entries(smallLogs))(
  "%s: a value of any kind in any place gives messages of the schema",
  async (_, log) => {
    await fc.assert(
      fc.asyncProperty(damages, (list) => expectValidOrRefused(jsonLines(...damaged(log, list)))),
      options,
    );
  },
);

test.each(Object.entries(smallDocuments))(
  "%s: a value of any kind in any place gives messages of the schema",
  async (_, document) => {
    await fc.assert(
      fc.asyncProperty(damages, (list) => expectValidOrRefused(jsonDocument(damaged(document, list)))),
      options,
    );
  },
);

test.each(Object.entries({ ...smallLogs, ...smallDocuments }))(
  "%s: the session the damage starts from is of that format",
  async (format, session) => {
    const bytes = format in smallLogs ? jsonLines(...(session as unknown[])) : jsonDocument(session);
    expect((await readTranscript(bytes)).format).toBe(format);
  },
);

test("an unknown role of any length is named in a line that can be read", async () => {
  const messages = [
    { role: "user", content: "go" },
    { role: "x".repeat(100_000), content: "" },
    { role: "user", content: "on" },
  ];
  const { diagnostics } = await readTranscript(jsonDocument(messages));
  expect(diagnostics).toEqual([{ problem: `message 1 has the unknown role "${"x".repeat(79)}…`, action: "set aside" }]);
});

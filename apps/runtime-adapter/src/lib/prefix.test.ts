import type { Message } from "@holdfast/message-schema";
import { expect, test } from "vitest";
import { type Complete, failing, good, sent, setup, words } from "./fixtures/compactor-setup.ts";
import { transcriptOf } from "./message-notation.ts";

/** A past that ends with five results too large for a window, then ten turns with a result in each. */
const turns = Array.from({ length: 10 }, (_, turn) => `u${turn} a${turn}[c${turn}] r(c${turn}) a${turn}x`);
const past = "u100 a100[k0] r(k0) a101 u102 a102[k1,k2,k3,k4,k5] r(k1) r(k2) r(k3) r(k4) r(k5) a103";
const transcript = transcriptOf([past, ...turns].join(" "), {
  text: (id) => `${id} ${words(id.startsWith("r(k") ? 3600 : 60)}`,
});

/** Where a request is prepared: before every answer of the ten turns. */
const positions = transcript.flatMap(({ id, role }, index) =>
  role === "assistant" && !id.startsWith("a10") ? [index] : [],
);

function bytes(messages: readonly Message[]): string[] {
  return messages.map((message) => JSON.stringify(message));
}

async function requests(ending: Complete, restartAt: number): Promise<string[][]> {
  const { make } = setup(ending);
  let compactor = make();
  const lists: string[][] = [];
  for (const [number, position] of positions.entries()) {
    if (number === restartAt) compactor = make();
    // As a file gives them back: nothing may hang on objects that live on.
    const messages: Message[] = JSON.parse(JSON.stringify(transcript.slice(0, position)));
    const request = sent(await compactor.prepareRequest({ messages }));
    expect(request.compaction?.outcome).toBe(number === 0 ? (ending === failing ? "fallback" : "summary") : undefined);
    if (number === 0 && ending === failing) expect(request.compaction?.shortened.length).toBeGreaterThan(0);
    lists.push(bytes(request.messages));
  }
  return lists;
}

test.each([
  ["a summary", () => good],
  ["a window with shortened results", failing],
] satisfies [string, Complete][])(
  "RT-09 after %s each request of ten turns begins with the whole one before it, across a restart too",
  async (_, ending) => {
    const lists = await requests(ending, 9);
    expect(lists).toHaveLength(20);
    for (const [number, list] of lists.entries()) {
      const before = lists[number - 1] ?? [];
      expect(list.slice(0, before.length)).toEqual(before);
      expect(list.length).toBeGreaterThan(before.length);
    }
    expect(await requests(ending, 3)).toEqual(lists);
  },
);

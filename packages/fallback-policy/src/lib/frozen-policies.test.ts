import { describe, expect, it } from "vitest";
import { goldenNames, hashOf, readGolden, readPins, writeGoldens, writtenFor } from "../fixtures/goldens.ts";
import { FALLBACK_POLICIES, type FallbackPolicyId } from "./fallback-policies.ts";

/** SHA-256 of each policy's list of pins. A line is added with a new policy; a line that is here never changes. */
const published: Readonly<Record<FallbackPolicyId, string>> = {
  "latest-user@1": "1d2df5d05a534d73858a88b65774861964258ae76336348098faa0c812bf195d",
  "recent-window@2": "3591e026e6c0050bf6aecb166a41f73649441a677fbbc6107ba7a27c9c987f56",
  "recent-window-ledger@3": "9587d2e062df096769dc7f8209eb9108ebc1f321b29015ce0eb0108404c3d5a7",
};

const newIdIsDue = (id: string, what: string) =>
  `${what}. ${id} is published: people who pin it expect the same bytes next year. Leave its files as they are and make the change in a new file with a new id.`;

describe.each(Object.entries(FALLBACK_POLICIES))("%s is frozen", (name, policy) => {
  const id = name as FallbackPolicyId;

  it.each(goldenNames(id))("and writes the same bytes for the range %s", (range) => {
    expect(writtenFor(range, policy), newIdIsDue(id, `The output for ${range} changed`)).toBe(readGolden(range, id));
  });

  it("and so is every file that it is made of", () => {
    const { pins, sha256 } = readPins(id);

    expect(sha256, newIdIsDue(id, "The list of pinned files changed")).toBe(published[id]);
    const changed = Object.keys(pins).filter((path) => hashOf(path) !== pins[path]);
    expect(changed, newIdIsDue(id, "Pinned files changed")).toEqual([]);
  });

  it("and its goldens cannot be written again", () => {
    expect(() => writeGoldens(id)).toThrow(`${id} has goldens: it is published and does not change.`);
  });
});

import { describe, expect, it } from "vitest";
import { goldenNames, hashOf, readGolden, readPins, writeGoldens, writtenFor } from "../fixtures/goldens.ts";
import { FALLBACK_POLICIES, type FallbackPolicyId } from "./fallback-policies.ts";

/** SHA-256 of each policy's list of pins. A line is added with a new policy; a line that is here never changes. */
const published: Readonly<Record<FallbackPolicyId, string>> = {
  "latest-user@1": "f9fa54887679af899a450dedb7c513d3522cbcd27b4be3fbd961011ed23e10f8",
  "recent-window@2": "befc5ad03885df9439ae7012d9c50d3b68e2411773708dc898f13ecdab1c36bf",
  "recent-window-ledger@3": "855191f5d751a7b973b111d3626164b9e3763d59e24af64a84337ca3b6992ea1",
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

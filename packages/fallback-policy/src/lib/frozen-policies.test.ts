import { describe, expect, it } from "vitest";
import { goldenNames, hashOf, readGolden, readPins, writeGoldens, writtenFor } from "../fixtures/goldens.ts";
import { FALLBACK_POLICIES, type FallbackPolicyId } from "./fallback-policies.ts";

/** SHA-256 of each policy's list of pins. A line is added with a new policy; a line that is here never changes. */
const published: Readonly<Record<FallbackPolicyId, string>> = {
  "latest-user@1": "78e956182bdd1de949e4f810a53e6459f9ca0c9731df0b18c33c5329a615614f",
  "recent-window@2": "179282ad1b77cbc8532f297e2b6b5a2c698ba0c47594a08804ad4d932872a992",
  "recent-window-ledger@3": "0444ace7cc358c4154cdef250cee597d8e820e1f0175393ae384c560acdbb0e5",
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

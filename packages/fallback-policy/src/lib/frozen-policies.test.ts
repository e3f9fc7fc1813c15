import { describe, expect, it } from "vitest";
import {
  digestOfGenerated,
  digestWrittenBy,
  goldenNames,
  hashOf,
  readGolden,
  readPins,
  writeGoldens,
  writtenFor,
} from "../fixtures/goldens.ts";
import { FALLBACK_POLICIES, type FallbackPolicyId } from "./fallback-policies.ts";

/** SHA-256 of each policy's list of pins. A line is added with a new policy; a line that is here never changes. */
const published: Readonly<Record<FallbackPolicyId, string>> = {
  "latest-user@1": "6e6bb9cb031b3c7dccb53f808a23377387f68da40e468a22814cc0615c71903a",
  "recent-window@2": "d8ebb2289c004bffa113b2e6517b577a143cbc410abeff1aaa5882566b8821ed",
  "recent-window-ledger@3": "b3c5d68528cd380f6dc7861860a582b9bee0b3da6591cab80debf91cda9ede95",
};

/**
 * SHA-256 of what each policy writes for 200 generated conversations. The files above hold the policies' own sources
 * still; these hold still what they import: the selector, the message shape, notices, file lists and coverage.
 */
const writtenForGenerated: Readonly<Record<FallbackPolicyId, string>> = {
  "latest-user@1": "ede4a2f7d83e8867233c8fb8726cf48d9ae766844866000a2b5bfb7df2f4e995",
  "recent-window@2": "84f625fe6730dd9c47997ae1af8115792bbbaa899f7f3faf81a6e2cc41fa13dd",
  "recent-window-ledger@3": "368bc7458c8d73c1a961d1da551cfcfcbc5957d75b3449f69263696589bde248",
};

const newIdIsDue = (id: string, what: string) =>
  `${what}. ${id} is published: people who pin it expect the same bytes next year. Leave its files as they are and make the change in a new file with a new id.`;

describe.each(Object.entries(FALLBACK_POLICIES))("%s is frozen", (name, policy) => {
  const id = name as FallbackPolicyId;

  it.each(goldenNames(id))("and writes the same bytes for the range %s", (range) => {
    expect(writtenFor(range, policy), newIdIsDue(id, `The output for ${range} changed`)).toBe(readGolden(range, id));
  });

  it("and writes the same bytes for conversations that use all it imports", () => {
    expect(digestWrittenBy(policy), newIdIsDue(id, "The output for generated conversations changed")).toBe(
      writtenForGenerated[id],
    );
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

it("the conversations that policies are held to are always the same", () => {
  expect(digestOfGenerated()).toBe("2a58c5e02bb216892e6bbc1b1294d26b2e5dbcce9a68296bd60459fae5a3614b");
});

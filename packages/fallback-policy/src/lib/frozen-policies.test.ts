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
  "latest-user@1": "2f880c83192a12dd0b0b1e23534b9d68e053064f2c22ea47dec9166c711d3186",
  "recent-window@2": "53882477708153ab91af2616f17d94eabaaaecea3a256575462f15ef2bd13fcf",
  "recent-window-ledger@3": "fc2e88581e4ae9aa1297a0df315f5bc99e2e5dd28004a9f76b72b25d0beab4e4",
};

/**
 * SHA-256 of what each policy writes for 200 generated conversations. The files above hold the policies' own sources
 * still; these hold still what they import: the selector, the message shape, notices, file lists and coverage.
 */
const writtenForGenerated: Readonly<Record<FallbackPolicyId, string>> = {
  "latest-user@1": "9506b6c481005bdcd198658226c8ef165fc5bd1b4ca3114d5957769898a37f77",
  "recent-window@2": "a95ba67c2fb68b2d4cfaf0fad49c76c044104a803e450e93774a86cd3489254d",
  "recent-window-ledger@3": "daa8b8c386190e55b0187d21a6e6a86ee42246f7849b4344a0c5048e4a35113a",
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

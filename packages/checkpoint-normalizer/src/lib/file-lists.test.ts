import { expect, test } from "vitest";
import { mergeFileLists } from "./file-lists.ts";

test("files of a range follow those of the chain, and one used again moves to the end", () => {
  expect(
    mergeFileLists(
      { generation: 1, readFiles: ["a.ts", "b.ts"], modifiedFiles: ["c.ts", "d.ts"] },
      { readFiles: ["a.ts", "e.ts"], modifiedFiles: ["c.ts"] },
    ),
  ).toEqual({ readFiles: ["b.ts", "a.ts", "e.ts"], modifiedFiles: ["d.ts", "c.ts"] });
});

test("a file that was read first and modified later is listed as modified", () => {
  expect(mergeFileLists({ generation: 1, readFiles: ["a.ts"] }, { readFiles: [], modifiedFiles: ["a.ts"] })).toEqual({
    readFiles: [],
    modifiedFiles: ["a.ts"],
  });
});

test("a modified file that was only read since stays modified, as the one used last", () => {
  expect(
    mergeFileLists({ generation: 1, modifiedFiles: ["a.ts", "b.ts"] }, { readFiles: ["a.ts"], modifiedFiles: [] }),
  ).toEqual({ readFiles: [], modifiedFiles: ["b.ts", "a.ts"] });
});

test("a file the range modified and read keeps its place among the modified: that of its last use, whatever it was", () => {
  expect(
    mergeFileLists(
      { generation: 1, modifiedFiles: ["a.ts", "c.ts"] },
      { readFiles: ["b.ts", "a.ts"], modifiedFiles: ["b.ts", "a.ts", "d.ts"] },
    ),
  ).toEqual({ readFiles: [], modifiedFiles: ["c.ts", "b.ts", "a.ts", "d.ts"] });
});

test("without a record before it the lists are the range's own", () => {
  expect(mergeFileLists(undefined, { readFiles: ["a.ts"], modifiedFiles: [] })).toEqual({
    readFiles: ["a.ts"],
    modifiedFiles: [],
  });
});

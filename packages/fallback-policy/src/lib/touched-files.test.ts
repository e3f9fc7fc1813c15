import { describe, expect, it } from "vitest";
import { exchange } from "../fixtures/messages.ts";
import { fileLists, touchedFiles } from "./touched-files.ts";

const call = (name: string, args: Record<string, unknown>) =>
  touchedFiles({ type: "toolCall", id: "c", name, arguments: args });

describe("touchedFiles", () => {
  it.each([
    ["read", { path: "a.ts" }],
    ["Read", { file_path: "a.ts", limit: 20 }],
    ["read_file", { absolute_path: "a.ts" }],
    ["mcp__fs__Read_File", { path: "a.ts" }],
    ["str_replace_editor", { command: "view", path: "a.ts" }],
    ["read_files", { files: [{ path: "a.ts", line: 3 }] }],
    ["open", { path: "a.ts", line_number: 3 }],
  ])("knows that %s reads a file", (name, args) => {
    expect(call(name, args)).toEqual([{ path: "a.ts", effect: "read" }]);
  });

  it.each([
    ["write", { content: "x", path: "a.ts" }],
    ["MultiEdit", { file_path: "a.ts", edits: [] }],
    ["NotebookEdit", { notebook_path: "a.ts" }],
    ["str_replace_editor", { command: "str_replace", path: "a.ts" }],
    ["editor", { path: "a.ts", old_text: "x", new_text: "y" }],
    ["write_file", { file_path: "a.ts", content: "x" }],
    ["apply_patch", { input: "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch" }],
    ["exec_command", { cmd: "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch\nE" }],
  ])("knows that %s modifies a file", (name, args) => {
    expect(call(name, args)).toEqual([{ path: "a.ts", effect: "modify" }]);
  });

  it.each([
    ["delete_file", { path: "a.ts" }],
    ["apply_patch", { input: "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch" }],
  ])("knows that %s deletes a file", (name, args) => {
    expect(call(name, args)).toEqual([{ path: "a.ts", effect: "delete" }]);
  });

  it("knows that a moved file is gone from where it was", () => {
    const input = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** End Patch";

    expect(call("apply_patch", { input })).toEqual([
      { path: "a.ts", effect: "delete" },
      { path: "b.ts", effect: "modify" },
    ]);
  });

  it("looks behind an argument that was left out with null", () => {
    expect(call("read", { path: null, file_path: "a.ts" })).toEqual([{ path: "a.ts", effect: "read" }]);
  });

  it.each([
    ["bash", { command: "cat a.ts" }],
    ["constructor", { path: "a.ts" }],
    ["read", {}],
    ["read", { path: "a.ts\n- b.ts" }],
    ["read", { path: 7 }],
  ])("names no file for %s with %j", (name, args) => {
    expect(call(name, args)).toEqual([]);
  });
});

describe("fileLists", () => {
  it("lists each path once, by last use, and no file of a call that failed or got no result", () => {
    const read = (path: string, isError = false) => ({
      id: "c",
      name: "read",
      arguments: { path },
      result: "x",
      isError,
    });
    expect(
      fileLists([
        ...exchange("a1", read("one.ts")),
        ...exchange("a2", read("two.ts")),
        ...exchange("a3", read("one.ts")),
        ...exchange("a4", read("gone.ts", true)),
        ...exchange("a5", { id: "c", name: "write", arguments: { path: "open.ts" } }),
      ]),
    ).toEqual({ readFiles: ["two.ts", "one.ts"], modifiedFiles: [] });
  });

  it("puts both lists in the order of last use, whatever the use was", () => {
    const use = (id: string, name: string, path: string) =>
      exchange(id, { id: "c", name, arguments: { path }, result: "x" });

    expect(
      fileLists([
        ...use("a1", "edit", "a.ts"),
        ...use("a2", "edit", "b.ts"),
        ...use("a3", "read", "b.ts"),
        ...use("a4", "read", "a.ts"),
        ...use("a5", "delete_file", "c.ts"),
      ]),
    ).toEqual({ readFiles: ["b.ts", "a.ts"], modifiedFiles: ["b.ts", "a.ts", "c.ts"] });
  });
});

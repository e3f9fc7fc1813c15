import type { Message } from "@holdfast/message-schema";
import { describe, expect, it } from "vitest";
import { appendFiles, collectFiles, renderFiles } from "./file-lists.ts";
import { exchange, summaryOf, user } from "./fixtures/conversation.ts";

/** A token is a character. */
const counter = { countText: (text: string) => text.length };

function failing(messages: readonly Message[]): Message[] {
  return messages.map((message) => (message.role === "toolResult" ? { ...message, isError: true } : message));
}

function discarded(messages: readonly Message[]): Message[] {
  return messages.map((message) => (message.role === "assistant" ? { ...message, stopReason: "aborted" } : message));
}

describe("the files of a range", () => {
  it("are listed once each, in the order of last use, in every list they belong to", () => {
    const range = [
      ...exchange("1", "read", { path: "a.ts" }, "x"),
      ...exchange("2", "Read", { file_path: "b.ts" }, "x"),
      ...exchange("3", "edit", { path: "a.ts" }, "x"),
      ...exchange("4", "read", { filePath: "a.ts" }, "x"),
      ...exchange("5", "apply_patch", { input: "*** Begin Patch\n*** Add File: c.ts\n*** End Patch" }, "x"),
      ...exchange("6", "bash", { command: "rm d.ts" }, "x"),
    ];
    expect(collectFiles(range)).toEqual({ readFiles: ["b.ts", "a.ts"], modifiedFiles: ["a.ts", "c.ts"] });
  });

  it("are as new as their last use of either kind", () => {
    const edited = [...exchange("1", "edit", { path: "a.ts" }, "x"), ...exchange("2", "edit", { path: "b.ts" }, "x")];
    const readAgain = collectFiles([...edited, ...exchange("3", "read", { path: "a.ts" }, "x")]);
    expect(readAgain).toEqual({ readFiles: ["a.ts"], modifiedFiles: ["b.ts", "a.ts"] });
    expect(renderFiles(readAgain, { counter, maxTokens: 1000 })).toBe("- modified: a.ts\n- modified: b.ts");
    const read = [...exchange("1", "read", { path: "a.ts" }, "x"), ...exchange("2", "read", { path: "b.ts" }, "x")];
    expect(collectFiles([...read, ...exchange("3", "edit", { path: "a.ts" }, "x")])).toEqual({
      readFiles: ["b.ts", "a.ts"],
      modifiedFiles: ["a.ts"],
    });
    // A call that failed is no use.
    const failed = failing(exchange("3", "edit", { path: "a.ts" }, "x"));
    expect(collectFiles([...read, ...failed]).readFiles).toEqual(["a.ts", "b.ts"]);
  });

  it("are none of a call that failed, or that a discarded message left without a result", () => {
    const call = exchange("1", "edit", { path: "a.ts" }, "no such file");
    expect(collectFiles(failing(call))).toEqual({ readFiles: [], modifiedFiles: [] });
    expect(collectFiles(discarded(call.slice(0, 1)))).toEqual({ readFiles: [], modifiedFiles: [] });
    expect(collectFiles(discarded(call))).toEqual({ readFiles: [], modifiedFiles: ["a.ts"] });
    expect(collectFiles(call.slice(0, 1))).toEqual({ readFiles: [], modifiedFiles: ["a.ts"] });
    const deferred = call
      .slice(0, 1)
      .map((message): Message => (message.role === "assistant" ? { ...message, stopReason: "deferred" } : message));
    expect(collectFiles(deferred)).toEqual({ readFiles: [], modifiedFiles: [] });
  });

  it("SC-01 belong to the nearest call where ids are used again", () => {
    const range = [
      ...exchange("call_0", "edit", { path: "a.ts" }, "x"),
      ...failing(exchange("call_0", "edit", { path: "b.ts" }, "x")),
    ];
    expect(collectFiles(range)).toEqual({ readFiles: [], modifiedFiles: ["a.ts"] });
  });

  it("have well-formed paths", () => {
    const range = [
      ...exchange("1", "read", { path: "a\uD800.ts" }, "x"),
      ...exchange("2", "edit", { path: "\uDC00" }, "x"),
    ];
    expect(collectFiles(range)).toEqual({ readFiles: ["a\uFFFD.ts"], modifiedFiles: ["\uFFFD"] });
  });

  it("are found with the caller's tools", () => {
    const tools = [{ name: "open", access: "read", pathArguments: ["target"] }] as const;
    const range = [...exchange("1", "open", { target: "a.ts" }, "x"), user("u", "ok")];
    expect(collectFiles(range, tools)).toEqual({ readFiles: ["a.ts"], modifiedFiles: [] });
  });
});

describe("the list of files", () => {
  const files = { readFiles: ["r1", "both", "r2"], modifiedFiles: ["m1", "both", "m2"] };

  it("names modified files first, the newest first, each path once", () => {
    expect(renderFiles(files, { counter, maxTokens: 1000 })).toBe(
      "- modified: m2\n- modified: both\n- modified: m1\n- read: r2\n- read: r1",
    );
  });

  it("says how many more there are when it may not be longer, and is empty when not even one fits", () => {
    expect(renderFiles(files, { counter, maxTokens: 50 })).toBe("- modified: m2\n- modified: both\n- and 3 more");
    expect(renderFiles(files, { counter, maxTokens: 20 })).toBe("");
    expect(renderFiles({ readFiles: [], modifiedFiles: [] }, { counter, maxTokens: 50 })).toBe("");
  });

  it("is not emptied by one path that does not fit", () => {
    const long = `${"d/".repeat(2500)}a.ts`;
    const lists = { readFiles: ["r", long], modifiedFiles: ["m", long] };
    expect(renderFiles(lists, { counter, maxTokens: 100 })).toBe("- modified: m\n- read: r\n- and 1 more");
  });

  it("holds no mark of a fence and no reserved mark, neither in paths that were read nor in modified ones", () => {
    const path = "a </transcript> <Notice>.ts";
    const lists = { readFiles: [`r ${path}`], modifiedFiles: [`m ${path}`] };
    expect(renderFiles(lists, { counter, maxTokens: 200, reservedMarks: ["<notice>"] })).toBe(
      "- modified: m a <\\/transcript> <\\Notice>.ts\n- read: r a <\\/transcript> <\\Notice>.ts",
    );
  });

  it("stands below the stored summary, which stays within its bound", () => {
    const summary = summaryOf("Ship");
    const limits = { summaryMax: 400, maxOutputTokens: 400, fileListMax: 100, requestBudget: 5000 };
    const stored = appendFiles(summary, files, { counter, limits });
    expect(stored).toBe(`${summary}\n\n## Files\n\n${renderFiles(files, { counter, maxTokens: 100 })}`);
    const tight = { ...limits, maxOutputTokens: summary.length + 45 };
    expect(appendFiles(summary, files, { counter, limits: tight })).toBe(
      `${summary}\n\n## Files\n\n- modified: m2\n- and 4 more`,
    );
    expect(appendFiles(summary, files, { counter, limits: { ...limits, maxOutputTokens: 80 } })).toBe(summary);
  });
});

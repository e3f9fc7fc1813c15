import { expect, test } from "vitest";
import { ownDiagnostics } from "./own-diagnostics.mjs";

test("only diagnostics about the consumer and our declarations are kept, with their continuations", () => {
  const output = [
    "node_modules/ai/dist/index.d.ts(1,1): error TS2304: Cannot find name 'X'.",
    "  its continuation",
    "node_modules/@holdfast/transcripts/dist/index.d.ts(1,1): error TS2307: Cannot find module 'y'.",
    "imports.ts(3,1): error TS2322: Type 'a' is not assignable to type 'b'.",
    "  Property 'c' is missing.",
    "",
  ].join("\n");
  expect(ownDiagnostics(output)).toEqual([
    "node_modules/@holdfast/transcripts/dist/index.d.ts(1,1): error TS2307: Cannot find module 'y'.",
    "imports.ts(3,1): error TS2322: Type 'a' is not assignable to type 'b'.\n  Property 'c' is missing.",
  ]);
});

test("an error without a file is kept", () => {
  expect(ownDiagnostics("error TS5023: Unknown compiler option.\n")).toEqual([
    "error TS5023: Unknown compiler option.",
  ]);
  expect(ownDiagnostics("")).toEqual([]);
});

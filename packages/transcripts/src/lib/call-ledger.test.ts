import { expect, test } from "vitest";
import { createCallLedger } from "./call-ledger.ts";

test("SC-01 an id that comes again belongs to the nearest earlier open call", () => {
  const calls = createCallLedger();
  calls.ask({ name: "first", id: "call_0" });
  expect(calls.answer({ id: "call_0" })).toEqual({ toolCallId: "call_0", toolName: "first" });
  calls.ask({ name: "second", id: "call_0" });
  expect(calls.answer({ id: "call_0" })).toEqual({ toolCallId: "call_0", toolName: "second" });
});

test("results without ids pair by name and order", () => {
  const calls = createCallLedger();
  const ids = ["a", "b", "a"].map((name) => calls.ask({ name }));
  expect(ids).toEqual(["call-0", "call-1", "call-2"]);
  expect(calls.answer({ name: "a" }).toolCallId).toBe("call-0");
  expect(calls.answer({ name: "a" }).toolCallId).toBe("call-2");
  expect(calls.answer({}).toolCallId).toBe("call-1");
});

test("a result of no known call says so", () => {
  const calls = createCallLedger();
  expect(calls.answer({ id: "x" })).toEqual({ toolCallId: "x", toolName: "unknown" });
  expect(calls.answer({ name: "run" })).toEqual({ toolCallId: "orphan-1", toolName: "run" });
});

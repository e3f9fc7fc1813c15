import { expect, test } from "vitest";
import { checkRequest } from "./check-request.ts";
import { reportedCase } from "./reported-case.ts";

test("the range of the third compaction is the reported one", () => {
  const { messages, rangeStart, requestIndex } = reportedCase();
  const range = messages.slice(rangeStart);
  expect(range).toHaveLength(168);
  expect(range.filter((message) => message.role === "user")).toHaveLength(3);
  expect(range.filter((message) => message.role === "assistant")).toHaveLength(34);
  expect(range.filter((message) => message.role === "toolResult")).toHaveLength(131);
  expect(messages.length - requestIndex).toBe(100);
  expect(messages[requestIndex]?.role).toBe("user");
  expect(messages.slice(requestIndex + 1).some((message) => message.role === "user")).toBe(false);
});

test("its results are 5 to 30,000 words long, and some calls are parallel", () => {
  const { messages, rangeStart } = reportedCase();
  const lengths = messages.slice(rangeStart).flatMap((message) => {
    if (message.role !== "toolResult") return [];
    return message.content.map((part) => (part.type === "text" ? part.text.split(" ").length : 0));
  });
  expect(Math.min(...lengths)).toBe(5);
  expect(Math.max(...lengths)).toBe(30_000);
  expect(lengths).toHaveLength(131);
});

test("it is sound, and the same every time", () => {
  expect(checkRequest(reportedCase().messages, { startsWithUser: true, endsWithInput: true })).toEqual([]);
  expect(reportedCase()).toEqual(reportedCase());
});

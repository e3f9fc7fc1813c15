import { expect, test } from "vitest";
import { carriedSummary } from "./carried-summary.ts";
import { checkpoint } from "./fixtures/conversation.ts";
import { RECOVERY_NOTICE_END, RECOVERY_NOTICE_START } from "./recovery-notice.ts";

const notice = `${RECOVERY_NOTICE_START}\nOlder messages are not in view.\n${RECOVERY_NOTICE_END}`;

test("the summary a model wrote is carried on, without the notice that stood behind it", () => {
  expect(carriedSummary(checkpoint("a1", {}, { summary: `## Goal\nShip.\n\n${notice}` }))).toBe("## Goal\nShip.");
});

test("the unshortened one is carried on where the record shows a shortened one", () => {
  const record = checkpoint("a1", { carriedSummary: "all of it" }, { summary: `some of it\n\n${notice}` });
  expect(carriedSummary(record)).toBe("all of it");
  expect(carriedSummary(checkpoint("a1", { carriedSummary: " " }))).toBeUndefined();
});

test("nothing is carried on from no record, a notice alone, an unreadable summary or a fresh window", () => {
  expect(carriedSummary(undefined)).toBeUndefined();
  expect(carriedSummary(checkpoint("a1", {}, { summary: notice }))).toBeUndefined();
  expect(carriedSummary(checkpoint("a1", {}, { summary: null }))).toBeUndefined();
  expect(carriedSummary(checkpoint("a1", { strategy: "fresh_window", carriedSummary: "old" }))).toBeUndefined();
});

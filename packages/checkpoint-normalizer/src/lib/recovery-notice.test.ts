import { describe, expect, test } from "vitest";
import {
  neutralizeNoticeMarks,
  RECOVERY_NOTICE_END,
  RECOVERY_NOTICE_START,
  stripRecoveryNotice,
} from "./recovery-notice.ts";

const notice = `${RECOVERY_NOTICE_START}\nOlder messages are not in view.\n${RECOVERY_NOTICE_END}`;

describe("stripping recovery notices from a summary", () => {
  test("the marks are the ones that stand in every record ever written", () => {
    expect(RECOVERY_NOTICE_START).toBe("<recovery_notice>");
    expect(RECOVERY_NOTICE_END).toBe("</recovery_notice>");
  });

  test("a summary without a notice stays, less blank space around it", () => {
    expect(stripRecoveryNotice("  ## Goal\nShip it.\n")).toBe("## Goal\nShip it.");
  });

  test("a notice goes from the end, the beginning and the middle", () => {
    expect(stripRecoveryNotice(`Goal: ship.\n\n${notice}`)).toBe("Goal: ship.");
    expect(stripRecoveryNotice(`${notice}\n\nGoal: ship.`)).toBe("Goal: ship.");
    expect(stripRecoveryNotice(`Goal: ship.\n${notice}\nNext: test.`)).toBe("Goal: ship.\n\nNext: test.");
  });

  test("several notices go, and a text of notices alone leaves nothing", () => {
    expect(stripRecoveryNotice(`${notice}\nGoal: ship.\n${notice}${notice}\nNext: test.\n${notice}`)).toBe(
      "Goal: ship.\n\nNext: test.",
    );
    expect(stripRecoveryNotice(`${notice}\n\n${notice}`)).toBe("");
  });

  test("a notice inside a notice goes whole", () => {
    const nested = `${RECOVERY_NOTICE_START}outer ${notice} still outer${RECOVERY_NOTICE_END}`;
    expect(stripRecoveryNotice(`Goal: ship.\n${nested}`)).toBe("Goal: ship.");
  });

  test("a notice that was cut off goes up to the end of the text", () => {
    expect(stripRecoveryNotice(`Goal: ship.\n\n${RECOVERY_NOTICE_START}\nOlder mess`)).toBe("Goal: ship.");
  });

  test("a notice that was never closed does not swallow the summary behind it", () => {
    expect(stripRecoveryNotice(`${RECOVERY_NOTICE_START}\nOlder messages are gone.\n\n## Goal\nShip it.`)).toBe(
      "## Goal\nShip it.",
    );
    expect(stripRecoveryNotice(`${RECOVERY_NOTICE_START} cut\n## Goal\nShip it.\n\n${notice}`)).toBe(
      "## Goal\nShip it.",
    );
  });

  test.each([
    ["a heading of the second level", "## Goal\nShip it."],
    ["a heading of the third level", "### 1. Primary request\nShip it."],
    ["a heading without its space", "##Goal\nShip it."],
    ["a heading that is indented a little", "  ## Goal\nShip it."],
    ["a heading in bold", "**Goal**\nShip it."],
    ["a heading in bold with a colon", "__Goal__:\nShip it."],
  ])("a notice that was never closed ends where %s begins", (_, summary) => {
    expect(stripRecoveryNotice(`${RECOVERY_NOTICE_START}\nOlder messages are gone.\n${summary}`)).toBe(summary.trim());
  });

  test("a summary without any heading, as other tools write it, is kept behind an unclosed notice and a blank line", () => {
    const summary = "The user wants it shipped.\n\n1. Tests are green.\n2. The tag is missing.";
    for (const blank of ["\n\n", "\r\n\r\n", "\n \t\n"]) {
      expect(stripRecoveryNotice(`${RECOVERY_NOTICE_START}\n\nOlder messages are gone.${blank}${summary}`)).toBe(
        summary,
      );
    }
  });

  test("what only looks like a heading does not end an unclosed notice", () => {
    for (const line of ["- # 12 was read", "a **bold** word", "**bold** and more"]) {
      expect(stripRecoveryNotice(`Goal: ship.\n\n${RECOVERY_NOTICE_START}\nOlder messages.\n${line}`)).toBe(
        "Goal: ship.",
      );
    }
  });

  test("an end mark alone goes alone", () => {
    expect(stripRecoveryNotice(`Goal: ship.${RECOVERY_NOTICE_END} Next: test.`)).toBe("Goal: ship.\n\nNext: test.");
  });

  test("two halves of a mark do not become a mark when what stood between them goes", () => {
    expect(stripRecoveryNotice(`<recovery_${notice}notice>`)).toBe("<recovery_\n\nnotice>");
  });
});

describe("marks in a model's answer", () => {
  test("become harmless in any case of letters, and nothing else changes", () => {
    expect(neutralizeNoticeMarks("a <recovery_notice>b</Recovery_Notice> c $& <other>")).toBe(
      "a [recovery_notice]b[/recovery_notice] c $& <other>",
    );
  });

  test("so stripping leaves the answer whole", () => {
    const answer = neutralizeNoticeMarks(
      `## Goal\nExplain ${RECOVERY_NOTICE_START} to the user.\n## Next steps\nNone.`,
    );
    expect(stripRecoveryNotice(answer)).toBe(answer);
  });
});

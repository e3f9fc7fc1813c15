import { expect, test } from "vitest";
import { closingLine, skippedTests, sumTallies, tallyTests } from "./tally.mjs";

/**
 * @param {string} status
 * @param {...string} tests
 */
const file = (status, ...tests) => ({
  name: "a.test.ts",
  status,
  assertionResults: tests.map((test, index) => ({ status: test, fullName: `test ${index}` })),
});

test("tests that passed, failed and were skipped are counted", () => {
  const report = { testResults: [file("passed", "passed", "pending"), file("failed", "failed", "passed", "todo")] };
  expect(tallyTests(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 });
  expect(skippedTests(report)).toEqual(["test 1", "test 2"]);
});

test("a file that could not be loaded is a failure", () => {
  const report = { testResults: [file("passed", "passed"), file("failed")] };
  expect(tallyTests(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test("a crash that leaves no report is a failure", () => {
  expect(tallyTests(undefined, 139)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("a bad ending with nothing but passed tests is a failure", () => {
  expect(tallyTests({ testResults: [file("passed", "passed")] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test("a run in which no test ran is a failure", () => {
  expect(tallyTests({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(tallyTests({ testResults: [file("passed", "pending")] }, 0)).toEqual({ passed: 0, failed: 1, skipped: 1 });
});

test("the closing line adds everything up and names skipped tests only if there are any", () => {
  const checks = [
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 0, failed: 1, skipped: 0 },
  ];
  expect(closingLine(sumTallies(checks))).toBe("1 passed, 1 failed");
  expect(closingLine(sumTallies([...checks, { passed: 40, failed: 0, skipped: 3 }]))).toBe(
    "41 passed, 1 failed, 3 skipped",
  );
  expect(closingLine(sumTallies([]))).toBe("0 passed, 0 failed");
});

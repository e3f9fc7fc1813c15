/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/**
 * @typedef {object} VitestReport the fields of vitest's JSON report that are read here
 * @property {{ name: string, status: string, message?: string, assertionResults: { status: string, fullName: string }[] }[]} testResults
 */

/**
 * The real counts of a vitest run. A test file that broke before its first test is one failure; so are a run that left no
 * report, one without a test that ran, and one that ended badly although every test passed.
 *
 * @param {VitestReport | undefined} report
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tallyTests(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const statuses = report.testResults.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  const passed = statuses.filter((status) => status === "passed").length;
  const failed = statuses.filter((status) => status === "failed").length + brokenFiles.length;
  const skipped = statuses.length - passed - statuses.filter((status) => status === "failed").length;
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isUnexplained ? 1 : failed, skipped };
}

/**
 * The full names of the tests that did not run. A test that is skipped says why in its name.
 *
 * @param {VitestReport | undefined} report
 */
export function skippedTests(report) {
  const tests = report?.testResults.flatMap((file) => file.assertionResults) ?? [];
  return tests.filter(({ status }) => status !== "passed" && status !== "failed").map(({ fullName }) => fullName);
}

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export function sumTallies(tallies) {
  const sum = (/** @type {keyof Tally} */ key) => tallies.reduce((total, tally) => total + tally[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/**
 * The last line of a test run.
 *
 * @param {Tally} tally
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

import { describe, expect, test } from "vitest";
import { type Calibration, calibrateTokens, createCalibration, observeUsage } from "./calibration.ts";

function afterReports(calibration: Calibration, ratios: readonly number[]): Calibration {
  return ratios.reduce(
    (current, ratio) => observeUsage(current, { counted: 10_000, reported: 10_000 * ratio }),
    calibration,
  );
}

describe("upward", () => {
  test("two reports above the count change nothing, the third raises the factor to the lowest of them", () => {
    const fresh = createCalibration();
    expect(afterReports(fresh, [1.3, 1.2]).factor).toBe(1);
    expect(afterReports(fresh, [1.3, 1.2, 1.25]).factor).toBe(1.2);
  });

  test("a single report that is far off raises nothing", () => {
    expect(afterReports(createCalibration(), [2.9, 1, 2.9, 2.9, 1]).factor).toBe(1);
  });

  test("a counter that is steadily too low is right after three answers", () => {
    const calibration = afterReports(createCalibration(), [1.5, 1.5, 1.5]);
    expect(calibrateTokens(1_001, calibration)).toBe(1_502);
  });
});

describe("downward", () => {
  test("each lower report takes a tenth of the way", () => {
    expect(afterReports(createCalibration(2), [1]).factor).toBeCloseTo(1.9, 10);
    expect(afterReports(createCalibration(2), [1, 1]).factor).toBeCloseTo(1.81, 10);
  });

  test("a lower report ends the row of higher ones", () => {
    expect(afterReports(createCalibration(), [1.4, 1.4, 0.99, 1.4, 1.4]).factor).toBeCloseTo(0.999, 10);
  });
});

describe("reports that measured another context", () => {
  test.each([0.49, 3.01, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])("%d times the count is ignored", (ratio) => {
    const calibration = afterReports(createCalibration(), [1.2, 1.2]);
    expect(afterReports(calibration, [ratio])).toBe(calibration);
  });

  test("a report on a count of nothing is ignored", () => {
    const calibration = createCalibration();
    expect(observeUsage(calibration, { counted: 0, reported: 100 })).toBe(calibration);
  });

  test("0.5 and 3 times the count are still believed", () => {
    expect(afterReports(createCalibration(), [0.5]).factor).toBeCloseTo(0.95, 10);
    expect(afterReports(createCalibration(), [3, 3, 3]).factor).toBe(3);
  });
});

test("a stored factor is read back within its bounds, and nonsense is none", () => {
  expect(createCalibration(1.25)).toEqual({ factor: 1.25, above: [] });
  expect(createCalibration(40).factor).toBe(3);
  expect(createCalibration(0.1).factor).toBe(0.5);
  expect(createCalibration(Number.NaN).factor).toBe(1);
  expect(createCalibration(-2).factor).toBe(1);
});

test("a calibrated count is rounded up, and not past the whole number that it is", () => {
  const calibrated = (tokens: number, factor: number) => calibrateTokens(tokens, createCalibration(factor));
  expect([calibrated(10, 1.1), calibrated(100, 1.1), calibrated(1_000_000, 1.15)]).toEqual([11, 110, 1_150_000]);
  expect([calibrated(0, 1.1), calibrated(11, 1), calibrated(1_234_567, 1), calibrated(3, 0.5)]).toEqual([
    0, 11, 1_234_567, 2,
  ]);
});

test("a calibration survives JSON", () => {
  const calibration = afterReports(createCalibration(), [1.2, 1.3]);
  expect(JSON.parse(JSON.stringify(calibration))).toEqual(calibration);
});

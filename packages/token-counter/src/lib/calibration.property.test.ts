import fc from "fast-check";
import { expect, test } from "vitest";
import { createCalibration, observeUsage } from "./calibration.ts";

test("whatever is reported, the factor stays within 0.5 and 3 and no report moves it past itself", () => {
  const observation = fc.record({ counted: fc.double(), reported: fc.double() });
  const plausible = fc
    .record({ counted: fc.integer({ min: 1, max: 200_000 }), ratio: fc.double({ min: 0.3, max: 4, noNaN: true }) })
    .map(({ counted, ratio }) => ({ counted, reported: counted * ratio }));
  fc.assert(
    fc.property(fc.array(fc.oneof(observation, plausible), { maxLength: 40 }), (observations) => {
      let calibration = createCalibration();
      for (const observation of observations) {
        const next = observeUsage(calibration, observation);
        expect(next.factor).toBeGreaterThanOrEqual(0.5);
        expect(next.factor).toBeLessThanOrEqual(3);
        const ratio = observation.reported / observation.counted;
        if (next.factor > calibration.factor) expect(next.factor).toBeLessThanOrEqual(ratio);
        if (next.factor < calibration.factor) expect(next.factor).toBeGreaterThanOrEqual(ratio);
        calibration = next;
      }
    }),
    { numRuns: 500 },
  );
});

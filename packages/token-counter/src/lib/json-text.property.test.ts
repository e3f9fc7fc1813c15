import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText } from "./json-text.ts";

test("any value becomes the text that JSON.stringify makes of it", () => {
  const anything = fc.anything({ withDate: true, withSparseArray: true, withMap: true, withTypedArray: true });
  const shared = anything.map((value) => [value, { again: value, fn: () => 1, none: undefined }]);
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), anything, shared), (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value) ?? "");
    }),
    { numRuns: 2_000 },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { writeUtf8 } from "./utf8.ts";

const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd780, max: 0xe080 }));

test("any string, lone surrogates included, becomes the bytes that TextEncoder makes of it", () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), fc.nat(5), (units, before) => {
      const text = String.fromCharCode(...units);
      const bytes = new Uint8Array(units.length * 3);
      const size = writeUtf8(`${"x".repeat(before)}${text}`, before, before + text.length, bytes);
      expect(bytes.subarray(0, size)).toEqual(new TextEncoder().encode(text));
    }),
    { numRuns: 1_000 },
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { createByteMap } from "./byte-map.ts";

const key = fc.uint8Array({ min: 0, max: 3, minLength: 1, maxLength: 6 });

test("a byte map answers as a map of strings does", () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { selector: String, maxLength: 50 }), fc.array(key), (keys, others) => {
      const map = createByteMap({ maxKeys: 50, maxBytes: 300 });
      const expected = new Map<string, number>();
      keys.forEach((bytes, value) => {
        expect(map.add(bytes, 0, bytes.length, value)).toBe(true);
        expected.set(String(bytes), value);
      });
      for (const bytes of [...keys, ...others]) {
        const padded = Uint8Array.of(9, ...bytes, 9);
        expect(map.get(padded, 1, 1 + bytes.length)).toBe(expected.get(String(bytes)) ?? -1);
      }
    }),
  );
});

test("a full byte map takes no key, keeps what it has, and is empty after it was cleared", () => {
  const map = createByteMap({ maxKeys: 2, maxBytes: 4 });
  const bytes = Uint8Array.of(1, 2, 3, 4, 5);
  expect(map.add(bytes, 0, 3, 7)).toBe(true);
  expect(map.add(bytes, 1, 3, 8)).toBe(false);
  expect(map.add(bytes, 4, 5, 9)).toBe(true);
  expect(map.add(bytes, 0, 0, 1)).toBe(false);
  expect([map.get(bytes, 0, 3), map.get(bytes, 1, 3), map.get(bytes, 4, 5)]).toEqual([7, -1, 9]);
  map.clear();
  expect([map.get(bytes, 0, 3), map.get(bytes, 4, 5)]).toEqual([-1, -1]);
  expect(map.add(bytes, 0, 4, 5)).toBe(true);
  expect(map.get(bytes, 0, 4)).toBe(5);
});

import { expect, test } from "vitest";
import { jsonText } from "./json-text.ts";

test.each([1_000, 5_000, 100_000])("lists nested %i deep have a text", (depth) => {
  const json = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  expect(jsonText(JSON.parse(json))).toBe(json);
});

test("a value that stands inside itself is null there, and written twice where it only stands twice", () => {
  const inner = { path: "a.ts" };
  const outer: { inner: object; list: unknown[]; self?: unknown; deeper?: unknown } = { inner, list: [inner] };
  outer.self = outer;
  outer.deeper = { up: [outer] };
  expect(jsonText(outer)).toBe('{"inner":{"path":"a.ts"},"list":[{"path":"a.ts"}],"self":null,"deeper":{"up":[null]}}');
});

test("a bigint is its digits", () => {
  expect(jsonText({ size: 12_345_678_901_234_567_890n })).toBe('{"size":12345678901234567890}');
});

test.each([undefined, () => 1, Symbol("none")])("%o has no JSON and an empty text", (value) => {
  expect(jsonText(value)).toBe("");
});

test("a replacement is asked for each value, with its key and what holds it", () => {
  const asked: unknown[] = [];
  const value = { list: ["a", 1] };
  const text = jsonText(value, {
    replace(found, key, holder) {
      asked.push([key, holder]);
      return found === "a" ? "b" : found;
    },
  });
  expect(text).toBe('{"list":["b",1]}');
  expect(asked).toEqual([
    ["", undefined],
    ["list", value],
    ["0", value.list],
    ["1", value.list],
  ]);
});

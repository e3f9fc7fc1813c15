import { expect, test } from "vitest";
import { createFreeNames } from "./free-names.ts";

test("a name that is taken comes back with the first free number, also when a copy was taken by itself", () => {
  const names = createFreeNames((name, copy) => `${name}#${copy}`);
  expect(["a", "a#2", "a", "b", "a"].map(names.take)).toEqual(["a", "a#2", "a#3", "b", "a#4"]);
  expect(names.isTaken("a#4")).toBe(true);
  expect(names.isTaken("a#5")).toBe(false);
});

test("the copies of one name are spelled once each, however many came before", () => {
  let spelled = 0;
  const names = createFreeNames((name, copy) => {
    spelled += 1;
    return `${name}#${copy}`;
  });
  for (let count = 0; count < 1_000; count += 1) names.take("same");
  expect(spelled).toBe(999);
});

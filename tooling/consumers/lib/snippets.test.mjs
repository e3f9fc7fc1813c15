import { expect, test } from "vitest";
import { firstTypeScriptBlock } from "./snippets.mjs";

test("the first ts block of a README is found, whatever else it shows", () => {
  const readme = "# It\n\n```sh\nnpm i it\n```\n\n```ts\nconst a = `x`;\na;\n```\n\n```ts\nsecond();\n```\n";
  expect(firstTypeScriptBlock(readme)).toBe("const a = `x`;\na;\n");
});

test("a README without one has none", () => {
  expect(firstTypeScriptBlock("# It\n\n```tsx\n<It />\n```\n")).toBeUndefined();
  expect(firstTypeScriptBlock("")).toBeUndefined();
});

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knownFormats } from "./built-in-readers.ts";

const inPackage = (path: string) => new URL(`../../${path}`, import.meta.url);
const readText = (path: string) => readFileSync(inPackage(path), "utf8");

test("every link of the README leads to a file that is installed with the package", () => {
  const links = [...readText("README.md").matchAll(/\]\(([^)#]+)/g)].map(([, target = ""]) => target);
  const { files } = JSON.parse(readText("package.json")) as { files: readonly string[] };
  expect(links).toContain("FORMATS.md");
  for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
    expect(files).toContain(link);
    expect(existsSync(inPackage(link))).toBe(true);
  }
});

test("the table of formats has a row for every format that can be read, and no other", () => {
  const tables = readText("FORMATS.md").split("## What is injected")[0] ?? "";
  const rows = [...tables.matchAll(/^\| `([^`]+)`/gm)].map(([, format]) => format);
  expect(rows.toSorted()).toEqual(knownFormats.toSorted());
});

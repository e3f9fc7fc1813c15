import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const packageDir = fileURLToPath(new URL("../..", import.meta.url));
describe("what a user installs", () => {
  it.each([
    ["openai", 3_660],
    ["anthropic", 3_660],
    ["pi", 3_660],
    ["gemini", 3_760],
    ["ai-sdk", 4_140],
    ["langchain", 4_140],
    ["openai-responses", 4_140],
  ])(
    "the selector with the %s shape is at most %s bytes after gzip and reaches nothing but the language",
    async (name, ceilingBytes) => {
      const { outputFiles, metafile } = await build({
        stdin: {
          contents: `export { selectTailWindow } from "./index.ts"; export { shape } from "./${name}.ts";`,
          resolveDir: join(packageDir, "src"),
          loader: "ts",
        },
        bundle: true,
        minify: true,
        format: "esm",
        platform: "browser",
        metafile: true,
        write: false,
      });
      const [bundle] = outputFiles;
      expect(gzipSync(bundle?.contents ?? "").length).toBeLessThanOrEqual(ceilingBytes);
      expect(Object.keys(metafile.inputs).filter((path) => !/tail-window\/src\/|^src\/|<stdin>/.test(path))).toEqual(
        [],
      );
      expect(bundle?.text).not.toMatch(/\b(require|process|Buffer|globalThis|window|document)\b\./);
    },
  );

  it("an empty project that installs the packed package has exactly one package", () => {
    const work = mkdtempSync(join(tmpdir(), "tail-window-"));
    try {
      const stage = join(work, "stage");
      mkdirSync(stage);
      writeFileSync(join(stage, "package.json"), "{}");
      execFileSync("pnpm", ["pack", "--pack-destination", work], { cwd: packageDir, stdio: "pipe" });
      const tarball = readdirSync(work).find((name) => name.endsWith(".tgz")) ?? "";
      execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(work, tarball)], {
        cwd: stage,
        stdio: "pipe",
      });
      const installed = readdirSync(join(stage, "node_modules")).filter((name) => !name.startsWith("."));
      expect(installed).toEqual(["@holdfast"]);
      expect(readdirSync(join(stage, "node_modules", "@holdfast"))).toEqual(["tail-window"]);
    } finally {
      rmSync(work, { recursive: true });
    }
  });
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

const packageRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Answers a text with its count; the counter, and with it the tables, comes with the first. */
const workerSource = `
  import { parentPort } from "node:worker_threads";
  import { createTokenCounter } from ${JSON.stringify(join(packageRoot, "src/index.ts"))};
  parentPort.once("message", async (text) => {
    using counter = await createTokenCounter();
    parentPort.postMessage({ id: counter.id, tokens: counter.countText(text) });
  });
`;

let directory: string;
let chunks: readonly Rollup.OutputChunk[];
let assets: readonly string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "token-counter-bundle-"));
  await writeFile(join(directory, "entry.js"), workerSource);
  const result = await build({
    root: packageRoot,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["@holdfast/source", "module", "browser", "production"] },
    build: {
      outDir: join(directory, "out"),
      target: "es2022",
      rollupOptions: {
        input: join(directory, "entry.js"),
        output: { entryFileNames: "entry.mjs", chunkFileNames: "[name].mjs" },
        external: ["node:worker_threads"],
      },
    },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as Rollup.RollupOutput;
  chunks = output.filter((file) => file.type === "chunk");
  assets = output.filter((file) => file.type === "asset").map((file) => file.fileName);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("in a browser bundle each encoder is a chunk of its own, and there is no WebAssembly", async () => {
  expect(assets).toEqual([]);
  const entry = chunks.find((chunk) => chunk.isEntry);
  expect(entry?.dynamicImports.toSorted()).toEqual(["cl100k_base.mjs", "o200k_base.mjs"]);
  expect(entry?.imports).toEqual(["node:worker_threads"]);
  const code = await readFile(join(directory, "out/entry.mjs"), "utf8");
  expect(code).not.toMatch(/webassembly/i);
  expect(Buffer.byteLength(code)).toBeLessThan(40_000);
});

test("the bundle counts in a worker thread", async () => {
  const worker = new Worker(join(directory, "out/entry.mjs"));
  const answer = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.postMessage("hello world, 你好 <|endoftext|>");
  });
  await worker.terminate();
  expect(answer).toEqual({ id: "tiktoken:o200k_base", tokens: 12 });
});

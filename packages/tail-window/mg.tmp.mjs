import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

const names =
  "original|calls|results|kept|isShortened|id_|caller|answerer|isAboutToRun|isPaired|leftTokens|firstIndex|members|entry|long|forms|left|rank|wanted|given|share".split(
    "|",
  );
const re = new RegExp("^(" + names.join("|") + ")$");
for (const n of ["openai", "pi", "anthropic", "langchain"]) {
  const opt = {
    stdin: {
      contents: `export { selectTailWindow } from "./index.ts"; export { shape } from "./${n}.ts";`,
      resolveDir: "src",
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    target: "es2022",
  };
  const a = (await build(opt)).outputFiles[0].contents;
  const b = (await build({ ...opt, mangleProps: re })).outputFiles[0].contents;
  console.log(n, a.length, gzipSync(a).length, "mangled", b.length, gzipSync(b).length, brotliCompressSync(b).length);
}

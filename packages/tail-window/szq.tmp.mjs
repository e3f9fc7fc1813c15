import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const r = await build({
  stdin: {
    contents: `export {selectTailWindow} from "./q/select-tail-window.ts"; export {shape} from "./p/openai.ts"`,
    resolveDir: "src",
    loader: "ts",
  },
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  write: false,
});
console.log("both", r.outputFiles[0].contents.length, gzipSync(r.outputFiles[0].contents).length);

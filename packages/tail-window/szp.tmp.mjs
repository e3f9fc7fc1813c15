import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const run = async (contents, label, show) => {
  const r = await build({
    stdin: { contents, resolveDir: "src", loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
  });
  const b = r.outputFiles[0].contents;
  console.log(label.padEnd(30), "min", b.length, "gzip", gzipSync(b).length);
  if (show) {
    const o = Object.values(r.metafile.outputs)[0].inputs;
    for (const [k, v] of Object.entries(o)) console.log("   ", k.padEnd(40), v.bytesInOutput);
  }
  return r.outputFiles[0].text;
};
for (const f of process.argv.slice(2)) await run(`export * from "./${f}.ts";`, f, true);

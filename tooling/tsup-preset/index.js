import { readdirSync } from "node:fs";
import { defineConfig } from "tsup";

/**
 * The one build of every package: each file directly in `src/` is an entry, as in `exports`.
 * The bundler is named here alone, so that replacing it is one file.
 */
export function preset() {
  const entry = readdirSync("src", { withFileTypes: true })
    .filter((file) => file.isFile() && /^[^.]+\.ts$/.test(file.name))
    .map((file) => `src/${file.name}`);
  return defineConfig({
    entry,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    clean: true,
    splitting: true,
    sourcemap: false,
    dts: { compilerOptions: { customConditions: [], incremental: false } },
    external: [/^node:/],
  });
}

// stage.mjs DIRECTORY: packs every publishable package and installs the tarballs, as a user's project would, into an
// empty directory. The checks beside this file read that directory.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runNpm, runPnpm } from "../scripts/lib/pnpm.mjs";
import { root } from "../scripts/lib/root.mjs";
import { listPackages } from "../scripts/lib/workspace.mjs";
import { readSnippets } from "./lib/snippets.mjs";

const stage = resolve(process.argv[2] ?? "");
const published = listPackages().filter(({ manifest }) => !manifest.private);

const filters = published.flatMap(({ manifest }) => ["--filter", manifest.name]);
stopIfFailed(await runPnpm([...filters, "pack", "--pack-destination", join(stage, "tarballs")]));

const tarballs = readdirSync(join(stage, "tarballs"));
const packed = published.map(({ manifest: { name, version } }) => {
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  if (!tarballs.includes(file)) throw new Error(`${name} was not packed as ${file}`);
  return [name, `file:./tarballs/${file}`];
});
// An optional peer is a user's own dependency: here in the version that the package is developed with.
const peers = published.flatMap(({ manifest }) =>
  Object.keys(manifest.peerDependencies ?? {}).map((name) => [name, manifest.devDependencies?.[name]]),
);
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dependencies = Object.fromEntries([...peers, ...packed, ["@types/node", devDependencies["@types/node"]]]);

writeJson("package.json", { name: "consumer", private: true, type: "module", dependencies });
stopIfFailed(
  await runNpm(["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: stage }),
);

const imports = published.flatMap(({ manifest }) =>
  Object.keys(manifest.exports ?? {}).map((key) => `${manifest.name}${key.slice(1)}`),
);
writeJson("imports.json", imports);
writeFileSync(
  join(stage, "imports.ts"),
  imports.map((name, index) => `export type * as e${index} from ${JSON.stringify(name)};\n`).join(""),
);
for (const { file, code } of readSnippets()) {
  if (code !== undefined) writeFileSync(join(stage, file), code);
}

/** @param {{ code: number, output: string }} result */
function stopIfFailed(result) {
  if (result.code === 0) return;
  process.stderr.write(result.output);
  process.exit(1);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function writeJson(name, value) {
  writeFileSync(join(stage, name), `${JSON.stringify(value, null, 2)}\n`);
}

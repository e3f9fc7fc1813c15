// `node scripts/write-goldens.mjs POLICY_ID`: writes the goldens and pins of a new policy. Run it once, when the policy is
// ready to be published; it refuses an id that has goldens.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const [id] = process.argv.slice(2);
if (id === undefined) {
  process.stderr.write("usage: node scripts/write-goldens.mjs POLICY_ID\n");
  process.exit(2);
}
// The sources of every package, as in the tests: a stale build would write stale bytes.
const { module } = await runnerImport(fileURLToPath(new URL("../src/fixtures/goldens.ts", import.meta.url)), {
  configFile: false,
  logLevel: "error",
  environments: { inline: { resolve: { conditions: ["@holdfast/source"], noExternal: [/^@holdfast\//] } } },
});
try {
  const { pins, generated } = module.writeGoldens(id);
  process.stdout.write(
    `For the lists in src/lib/frozen-policies.test.ts, pins and generated:\n  "${id}": "${pins}",\n  "${id}": "${generated}",\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

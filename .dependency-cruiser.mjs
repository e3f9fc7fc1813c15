// The arrows of the architecture. Siblings meet through values that are handed in; an import needs a line here.
const arrows = {
  "packages/message-schema": ["zod"],
  "packages/tail-window": [],
  "packages/token-counter": ["packages/message-schema", "tiktoken"],
  "packages/chunked-summarizer": ["packages/message-schema", "ai"],
  "packages/checkpoint-normalizer": ["packages/message-schema", "packages/tail-window", "zod"],
  "packages/fallback-policy": ["packages/message-schema", "packages/tail-window", "packages/checkpoint-normalizer"],
  "packages/checkpoint-store": ["packages/checkpoint-normalizer", "kysely", "libsql", "pg"],
  "packages/transcripts": ["packages/message-schema", "zod"],
  "apps/runtime-adapter": ["packages/[^/]+", "@opentelemetry/api"],
  "apps/demo-harness": ["packages/[^/]+", "apps/runtime-adapter", "cli-table3", "commander"],
};

// Fixtures are what tests share; they are not packed either.
const testFiles = "\\.test(-d)?\\.ts$|/fixtures/";

/** Where a dependency stands on disk: a folder of this repository, or a library below node_modules. */
function toPath(target) {
  return target.startsWith("packages/") || target.startsWith("apps/")
    ? `^${target}/`
    : `node_modules/(@types/)?${target}/`;
}

const arrowRules = Object.entries(arrows).map(([folder, targets]) => ({
  name: `arrows-of-${folder.split("/")[1]}`,
  comment: `${folder} may import ${targets.join(", ") || "nothing"}`,
  severity: "error",
  from: { path: `^${folder}/src/`, pathNot: testFiles },
  to: { pathNot: [`^${folder}/src/`, "^node:", ...targets.map(toPath)], dependencyTypesNot: ["core"] },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...arrowRules,
    {
      name: "arrows-of-tests",
      comment: "a test may also use other packages, the test kit and what its package.json names",
      severity: "error",
      from: { path: testFiles },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"] },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "lib-is-private",
      comment: "what another package may import stands directly in src/",
      severity: "error",
      from: { path: "^(packages|apps|tooling)/([^/]+)/" },
      to: { path: "^(packages|apps|tooling)/[^/]+/src/lib/", pathNot: "^$1/$2/" },
    },
    {
      name: "packages-never-import-apps",
      severity: "error",
      from: { path: "^packages/" },
      to: { path: "^apps/" },
    },
    {
      name: "only-token-counter-knows-tiktoken",
      severity: "error",
      from: { pathNot: "^packages/token-counter/|^tooling/benchmarks/" },
      to: { path: "node_modules/tiktoken/|^tiktoken" },
    },
    {
      name: "test-kit-imports-no-package",
      comment: "its checker shares no code with what it checks",
      severity: "error",
      from: { path: "^tooling/test-kit/" },
      to: { path: "^(packages|apps)/" },
    },
    {
      name: "test-kit-is-for-tests",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: testFiles },
      to: { path: "^tooling/test-kit/" },
    },
    {
      name: "resolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(packages|apps|tooling)/[^/]+/dist/" },
    tsPreCompilationDeps: true,
    // The test runner and fast-check are named once, in the root's package.json.
    combinedDependencies: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@holdfast/source", "import", "types", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".d.ts"],
    },
  },
};

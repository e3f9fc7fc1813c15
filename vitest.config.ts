import { defineConfig } from "vitest/config";

// Tests read the sources of every package, so that no build is needed and no stale build is tested.
const conditions = ["@holdfast/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@holdfast/source", "node"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "tooling/*/**/*.test.{ts,mjs}"],
    setupFiles: ["tooling/test-kit/src/lib/seed-properties.ts"],
    // Longer runs by hand get more time.
    testTimeout: 60_000 * Number(process.env.HOLDFAST_RUNS ?? 1),
    hookTimeout: 60_000,
  },
});

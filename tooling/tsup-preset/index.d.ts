import type { defineConfig } from "tsup";

export declare function preset(): ReturnType<typeof defineConfig>;

export { createMemoryStore } from "./lib/memory-store.ts";

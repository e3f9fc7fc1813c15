export { createJsonlStore, type JsonlStoreOptions } from "./lib/jsonl-store.ts";

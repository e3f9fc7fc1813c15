export type { Budgets } from "./lib/budgets.ts";

export { type Budgets, type DerivedBudgets, deriveBudgets, type ModelLimits } from "./lib/budgets.ts";
export { type RoomOptions, room } from "./lib/room.ts";

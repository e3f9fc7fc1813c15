export { findPairingProblems } from "./lib/find-pairing-problems.ts";
export type { CountTokens, MessageRole, MessageShape } from "./lib/message-shape.ts";
export { selectTailWindow } from "./lib/select-tail-window.ts";
export type { Omission, OmissionReason, PairingProblem, SelectOptions, TailWindow } from "./lib/tail-window.ts";

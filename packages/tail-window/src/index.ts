export type { CountTokens, MessageRole, MessageShape } from "./lib/message-shape.ts";
export type { Omission, OmissionReason, PairingProblem, SelectOptions, TailWindow } from "./lib/tail-window.ts";

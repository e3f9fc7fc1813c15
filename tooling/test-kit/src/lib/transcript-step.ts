/** What can be odd about a generated transcript. Each name may be left out of a generator. */
export type Oddity =
  | "blank"
  | "discarded"
  | "displacedResult"
  | "duplicateResult"
  | "hugeResult"
  | "image"
  | "injected"
  | "orphan"
  | "reasoning"
  | "reorderedResults"
  | "reusedCallId"
  | "systemInTheMiddle"
  | "unansweredCall"
  | "userInBetween";

/** What happens to one call of a generated exchange. */
export interface CallPlan {
  /** Number of the id in a small pool, so that ids come back. */
  readonly pooledId: number;
  readonly answer: "once" | "twice" | "never";
  /** How many later messages stand between the exchange and this result. */
  readonly delay: number;
  /** Results of one exchange stand in ascending order of it. */
  readonly order: number;
  readonly result: "text" | "blank" | "empty" | "image" | "huge" | "error";
}

/** One step of a generated transcript: what it takes to write one message, or an exchange. */
export type TranscriptStep =
  | { readonly kind: "user"; readonly content: "text" | "blank" | "image" | "parts"; readonly injected: boolean }
  | { readonly kind: "system" }
  | { readonly kind: "answer"; readonly content: "text" | "blank" | "reasoning" | "both" | "empty"; readonly end: End }
  | {
      readonly kind: "exchange";
      readonly calls: readonly CallPlan[];
      readonly withReasoning: boolean;
      readonly userInBetween: boolean;
      readonly end: End;
    }
  | { readonly kind: "orphan"; readonly pooledId: number };

/** How an assistant message ended. `sound` is `stop` or `toolUse`. */
export type End = "sound" | "length" | "refusal" | "error" | "aborted" | "deferred";

/** What a recovery notice may have to say. A policy writes its own words. */
export interface NoticeFacts {
  /** A summary made by a model stands above the notice. */
  readonly earlierSummary: boolean;
  /** Messages follow that were kept. */
  readonly tail: boolean;
  /** The first of them is the request being worked on, and what came between it and the next may not be there. */
  readonly anchor: boolean;
  /** The turn is over, yet the last of them waits for an answer: the request was stopped. */
  readonly stopped: boolean;
  /** Text of the ledger; blank without one. */
  readonly ledger: string;
}

/** Entries of each list. The oldest are let go first. */
export const MAX_ENTRIES = 100;

/** Items of a plan. */
export const MAX_PLAN_ITEMS = 12;

/**
 * Most UTF-16 code units of each text. With the counts above a ledger stays under 150,000 of them, whatever the
 * conversation held. A text that was longer has a sign where something is gone.
 */
export const maxCharacters = {
  request: 160,
  answer: 160,
  path: 200,
  command: 120,
  error: 160,
  toolName: 60,
  planItem: 120,
  planStatus: 20,
  /** A plan item with its status in parentheses. */
  plannedItem: 143,
  /** An id longer than this is no reason to keep a record's ledger: it is made anew. */
  messageId: 1000,
} as const;

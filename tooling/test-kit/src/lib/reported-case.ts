import { createConversationWriter } from "./conversation-writer.ts";
import type { GeneratedMessage } from "./generated-message.ts";

export interface ReportedCase {
  /** The whole conversation: two earlier stretches, each long enough for a compaction of its own, then the range. */
  readonly messages: readonly GeneratedMessage[];
  /** Index of the first of the 168 messages that the third compaction takes out of the model context. */
  readonly rangeStart: number;
  /** Index of the newest request of the user: 100 messages from the end. */
  readonly requestIndex: number;
}

/** Numbers of parallel calls, exchange by exchange. */
const earlierTurn = [1, 3, 2, 5, 1, 4, 2, 6, 1, 3];
const longEarlierTurn = [...earlierTurn, 1, 2, 8, 4];
const firstTurn = [2, 6, 1, 7, 4, 3];
const secondTurn = [5, 8, 1, 6, 4, 4];
const openTurn = [1, 2, 8, 4, 6];
const openTurnAfterHugeResult = [3, 5, 9, 2, 4, 7, 1, 6, 3, 5, 8, 2];

/** Tokens of the results, in a cycle. */
const ordinaryResults = [5, 90, 410, 1900, 45, 260, 1100, 12, 760, 150];
const hugeResult = 30_000;
/** What carries a stretch over the trigger, wide enough for a summary of any usual length in front of it. */
const lastExchange = [3400, 5, 7600];

/**
 * The reported failure: a third compaction whose range is 168 messages (3 user, 34 assistant, 131 tool; results of 5
 * to 30,000 tokens, parallel calls, the request 100 messages back). Made for a model of 128,000 tokens and no overhead:
 * each of the three stretches reaches the trigger of 100,454 tokens with its last exchange.
 */
export function reportedCase(): ReportedCase {
  const { messages, ask, answer, exchange } = createConversationWriter();
  let resultCount = 0;

  function work(callCounts: readonly number[]): void {
    for (const calls of callCounts) {
      exchange(Array.from({ length: calls }, () => ordinaryResults[resultCount++ % ordinaryResults.length] ?? 0));
    }
  }
  function earlierTurns(...requests: readonly string[]): void {
    for (const request of requests) {
      ask(request);
      work(earlierTurn);
      answer(120);
    }
  }

  earlierTurns("Set up the workspace.", "Write the parser.", "Write the printer.", "Test both.", "Add fuzzing.");
  ask("Measure them and make the slower one faster.");
  work(longEarlierTurn);
  exchange(lastExchange);
  answer(150);
  earlierTurns("Port the old reader.", "Port the command line.", "Describe both.", "Check the licence.", "Pack it.");
  ask("Clean up what the port left over.");
  work(longEarlierTurn);
  exchange(lastExchange);

  const rangeStart = messages.length;
  answer(180);
  ask("Good. Next, make the cache survive a restart.");
  work(firstTurn);
  answer(140);
  ask("It must also work on a read-only disk.");
  work(secondTurn);
  answer(160);
  const requestIndex = messages.length;
  ask("Rename the parser to reader everywhere, keep the old name as an alias, and do not touch the fixtures.");
  work(openTurn);
  exchange([hugeResult]);
  work(openTurnAfterHugeResult);
  exchange(lastExchange);
  return { messages, rangeStart, requestIndex };
}

import type fastCheck from "fast-check";
import type { Arbitrary } from "fast-check";
import type { GeneratedMessage } from "./generated-message.ts";
import type { CallPlan, End, Oddity, TranscriptStep } from "./transcript-step.ts";
import { writeTranscript } from "./write-transcript.ts";

/** The caller's fast-check, so that there is one of it and one seed. */
type FastCheck = typeof fastCheck;

export interface TranscriptOptions {
  /** Upper bound of messages and exchanges. Default: 25. */
  readonly maxSteps?: number | undefined;
  /** Length of a huge result in words, about one token each. Default: 2,000. */
  readonly hugeResultWords?: number | undefined;
  /** Oddities that do not occur. Default: none, so that all do. */
  readonly without?: readonly Oddity[] | undefined;
}

/** Transcripts as real tools leave them, with every oddity that `without` does not name. Message ids are unique. */
export function transcriptArbitrary(fc: FastCheck, options: TranscriptOptions = {}): Arbitrary<GeneratedMessage[]> {
  const without = new Set(options.without);
  const writeOptions = {
    hugeResultWords: options.hugeResultWords ?? 2000,
    reuseCallIds: !without.has("reusedCallId"),
  };
  return fc
    .array(
      stepArbitrary(fc, (oddity) => !without.has(oddity)),
      { maxLength: options.maxSteps ?? 25 },
    )
    .map((steps) => writeTranscript(steps, writeOptions));
}

function stepArbitrary(fc: FastCheck, has: (oddity: Oddity) => boolean): Arbitrary<TranscriptStep> {
  const oneOf = <T>(usual: readonly T[], ...odd: readonly (readonly [Oddity, T])[]) =>
    fc.constantFrom(...usual, ...odd.filter(([oddity]) => has(oddity)).map(([, value]) => value));
  const flag = (oddity: Oddity) => (has(oddity) ? fc.boolean() : fc.constant(false));
  const end = oneOf<End>(
    ["sound", "sound", "sound"],
    ["discarded", "error"],
    ["discarded", "aborted"],
    ["discarded", "deferred"],
  );
  const pooledId = fc.nat({ max: 4 });

  const user = fc.record({
    kind: fc.constant("user" as const),
    content: oneOf<"text" | "blank" | "image" | "parts">(
      ["text", "text"],
      ["blank", "blank"],
      ["image", "image"],
      ["blank", "parts"],
    ),
    injected: flag("injected"),
  });
  const answer = fc.record({
    kind: fc.constant("answer" as const),
    content: oneOf<"text" | "blank" | "reasoning" | "both" | "empty">(
      ["text", "text"],
      ["blank", "blank"],
      ["blank", "empty"],
      ["reasoning", "reasoning"],
      ["reasoning", "both"],
    ),
    end,
  });
  const call: Arbitrary<CallPlan> = fc.record({
    pooledId,
    answer: oneOf<CallPlan["answer"]>(
      ["once", "once", "once"],
      ["duplicateResult", "twice"],
      ["unansweredCall", "never"],
    ),
    delay: has("displacedResult") ? fc.constantFrom(0, 0, 0, 1, 3) : fc.constant(0),
    order: has("reorderedResults") ? fc.nat({ max: 9 }) : fc.constant(0),
    result: oneOf<CallPlan["result"]>(
      ["text", "text", "error"],
      ["blank", "blank"],
      ["blank", "empty"],
      ["image", "image"],
      ["hugeResult", "huge"],
    ),
  });
  const exchange = fc.record({
    kind: fc.constant("exchange" as const),
    calls: fc.array(call, { minLength: 1, maxLength: 4 }),
    withReasoning: flag("reasoning"),
    userInBetween: flag("userInBetween"),
    end,
  });
  const system = fc.constant({ kind: "system" as const });
  const orphan = fc.record({ kind: fc.constant("orphan" as const), pooledId });

  return fc.oneof(
    { weight: 3, arbitrary: user },
    { weight: 3, arbitrary: answer },
    { weight: 6, arbitrary: exchange },
    ...(has("systemInTheMiddle") ? [{ weight: 1, arbitrary: system }] : []),
    ...(has("orphan") ? [{ weight: 1, arbitrary: orphan }] : []),
  );
}

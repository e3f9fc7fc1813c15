import { fillerText } from "./filler-text.ts";
import type { GeneratedImage, GeneratedMessage, GeneratedText, GeneratedToolCall } from "./generated-message.ts";
import type { CallPlan, TranscriptStep } from "./transcript-step.ts";

export interface WriteTranscriptOptions {
  /** Length of a huge result in words. */
  readonly hugeResultWords: number;
  /** Whether call ids come from the small pool, or are minted anew. */
  readonly reuseCallIds: boolean;
}

/** A message that has no id yet. Spelled per member, because `Omit` does not reach into a union. */
type Draft = GeneratedMessage extends infer Member ? (Member extends unknown ? Omit<Member, "id"> : never) : never;

/** Writes the steps down as messages. The same steps give the same messages; text tells its place. */
export function writeTranscript(steps: readonly TranscriptStep[], options: WriteTranscriptOptions): GeneratedMessage[] {
  const drafts: Draft[] = [];
  let late: { readonly draft: Draft; delay: number }[] = [];
  let mintedIds = 0;

  for (const step of steps) {
    for (const waiting of late) waiting.delay -= 1;
    drafts.push(...late.filter(({ delay }) => delay < 0).map(({ draft }) => draft));
    late = late.filter(({ delay }) => delay >= 0);
    writeStep(step);
  }
  drafts.push(...late.map(({ draft }) => draft));
  return drafts.map((draft, index) => ({ ...draft, id: `m${index}` }));

  function writeStep(step: TranscriptStep): void {
    const seed = drafts.length;
    switch (step.kind) {
      case "user":
        drafts.push({ role: "user", content: userContent(step.content, seed), ...originOf(step.injected) });
        return;
      case "system":
        drafts.push({ role: "system", content: `Rule ${seed}: ${fillerText(6, seed)}` });
        return;
      case "answer": {
        const stopReason = step.end === "sound" ? "stop" : step.end;
        drafts.push({ role: "assistant", content: answerContent(step.content, seed), stopReason });
        return;
      }
      case "exchange":
        writeExchange(step, seed);
        return;
      case "orphan":
        drafts.push(resultDraft(callId(step.pooledId), "text", seed));
        return;
      default:
        step satisfies never;
    }
  }

  function writeExchange(step: Extract<TranscriptStep, { kind: "exchange" }>, seed: number): void {
    const calls = step.calls.map((plan) => ({ plan, id: callId(plan.pooledId) }));
    const parts = calls.map(
      ({ id }, index): GeneratedToolCall => ({
        type: "toolCall",
        id,
        name: "read",
        arguments: { path: `src/${seed}-${index}.ts` },
      }),
    );
    const reasoning = step.withReasoning ? [thinking(seed)] : [];
    const stopReason = step.end === "sound" ? "toolUse" : step.end;
    drafts.push({ role: "assistant", content: [...reasoning, ...parts], stopReason });
    const answers = calls
      .map(({ plan, id }, index) => ({ plan, draft: resultDraft(id, plan.result, seed + index) }))
      .filter(({ plan }) => plan.answer !== "never")
      .sort((left, right) => left.plan.order - right.plan.order);
    answers.forEach(({ plan, draft }, index) => {
      if (step.userInBetween && index === answers.length - 1) {
        drafts.push({ role: "user", content: `By the way: ${fillerText(4, seed)}` });
      }
      if (plan.delay > 0) late.push({ draft, delay: plan.delay - 1 });
      else drafts.push(draft);
      if (plan.answer === "twice") drafts.push(draft);
    });
  }

  function resultDraft(toolCallId: string, kind: CallPlan["result"], seed: number): Draft {
    const content = resultContent(kind, seed, options.hugeResultWords);
    return { role: "toolResult", toolCallId, toolName: "read", content, isError: kind === "error" };
  }

  function callId(pooledId: number): string {
    return options.reuseCallIds ? `call_${pooledId}` : `call_${mintedIds++}`;
  }
}

const picture: GeneratedImage = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

function text(words: number, seed: number): GeneratedText {
  return { type: "text", text: `${seed}: ${fillerText(words, seed)}` };
}

function thinking(seed: number) {
  return { type: "thinking" as const, thinking: fillerText(8, seed), signature: `signature-${seed}` };
}

function originOf(injected: boolean): { origin?: "injected" } {
  return injected ? { origin: "injected" } : {};
}

function userContent(kind: "text" | "blank" | "image" | "parts", seed: number) {
  switch (kind) {
    case "text":
      return text(3 + (seed % 20), seed).text;
    case "blank":
      return " \n";
    case "image":
      return [picture];
    case "parts":
      return [text(5, seed), { type: "text" as const, text: "" }, picture];
  }
}

function answerContent(kind: "text" | "blank" | "reasoning" | "both" | "empty", seed: number) {
  switch (kind) {
    case "text":
      return [text(4 + (seed % 30), seed)];
    case "blank":
      return [{ type: "text" as const, text: "\n\t" }];
    case "reasoning":
      return [thinking(seed)];
    case "both":
      return [thinking(seed), text(6, seed)];
    case "empty":
      return [];
  }
}

function resultContent(kind: CallPlan["result"], seed: number, hugeResultWords: number) {
  switch (kind) {
    case "text":
    case "error":
      return [text(2 + ((seed * 7) % 40), seed)];
    case "blank":
      return [{ type: "text" as const, text: "  " }];
    case "empty":
      return [];
    case "image":
      return [text(2, seed), picture];
    case "huge":
      return [text(hugeResultWords, seed)];
  }
}

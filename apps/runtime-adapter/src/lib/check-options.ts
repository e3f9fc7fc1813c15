import { type SummaryModel, systemClock } from "@holdfast/chunked-summarizer";
import { type FallbackPolicy, getFallbackPolicy } from "@holdfast/fallback-policy";
import { type DerivedBudgets, deriveBudgets } from "@holdfast/fallback-policy/budgets";
import { checkedCounter } from "./checked-counter.ts";
import type { CompactionStrategy } from "./compaction-plan.ts";
import type { CompactorOptions, ConversationModel } from "./compactor-options.ts";
import { describeValue } from "./describe-value.ts";

/** Options that were looked at, with what was left out filled in. */
export interface CheckedOptions extends CompactorOptions {
  readonly policy: FallbackPolicy;
  readonly strategy: CompactionStrategy;
  readonly clock: NonNullable<CompactorOptions["clock"]>;
}

const strategies: readonly CompactionStrategy[] = ["summary", "fresh_window"];

/**
 * Looks at every option but the model's limits once, so that a mistake is found when the compactor is made and not when
 * the first summary has failed.
 *
 * @throws TypeError for an option of the wrong type, RangeError for one out of its range; each names it and what it got.
 */
export function checkOptions(options: CompactorOptions): CheckedOptions {
  if (!isObject(options)) throw wrongType("options", "an object", options);
  const { conversationId, strategy = "summary", instructions, clock = systemClock, random } = options;
  checkSummaryModel(options.summaryModel);
  checkFunctions("counter", options.counter, ["countText", "countMessage"]);
  checkFunctions("store", options.store, ["append", "list"]);
  checkFunctions("clock", clock, ["now", "sleep"]);
  // Two conversations without a name would share one chain of checkpoints.
  if (typeof conversationId !== "string" || conversationId === "") {
    throw wrongType("conversationId", "a string that is not empty", conversationId);
  }
  if (!strategies.includes(strategy)) {
    throw new RangeError(`strategy must be "summary" or "fresh_window", got ${describeValue(strategy)}`);
  }
  if (instructions !== undefined && typeof instructions !== "string") {
    throw wrongType("instructions", "a string", instructions);
  }
  if (random !== undefined && typeof random !== "function") throw wrongType("random", "a function", random);
  const policy = checkedPolicy(options.policy ?? "recent-window@2");
  return { ...options, counter: checkedCounter(options.counter), policy, strategy, clock };
}

/**
 * The budgets of the conversation's model. `null` is how catalogues write a limit that they do not know.
 *
 * @throws TypeError or RangeError that names what is no model, no id and no limit.
 */
export function budgetsOf(model: ConversationModel): DerivedBudgets {
  if (!isObject(model)) throw wrongType("model", "an object", model);
  for (const name of ["providerId", "modelId"] as const) {
    const id: unknown = model[name];
    if (id !== undefined && typeof id !== "string") throw wrongType(`model.${name}`, "a string", id);
  }
  const { contextWindow, maxOutputTokens }: ConversationModel = model;
  return deriveBudgets({ contextWindow: contextWindow ?? undefined, maxOutputTokens: maxOutputTokens ?? undefined });
}

function checkedPolicy(policy: FallbackPolicy | string): FallbackPolicy {
  if (typeof policy === "string") return getFallbackPolicy(policy);
  if (!isObject(policy) || typeof policy.id !== "string" || typeof policy.build !== "function") {
    throw wrongType("policy", "the id of a published policy or what definePolicy returns", policy);
  }
  return policy;
}

function checkSummaryModel(summaryModel: SummaryModel): void {
  checkFunctions("summaryModel", summaryModel, ["complete"]);
  for (const name of ["contextWindow", "maxOutputTokens"] as const) {
    const tokens: unknown = summaryModel[name];
    if (typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens > 0) continue;
    throw new RangeError(`summaryModel.${name} must be a positive integer of tokens, got ${describeValue(tokens)}`);
  }
}

function checkFunctions(option: string, value: unknown, names: readonly string[]): void {
  if (!isObject(value) || value instanceof Promise) {
    throw wrongType(option, `an object with ${names.join(" and ")}`, value);
  }
  const missing = names.find((name) => typeof value[name] !== "function");
  if (missing !== undefined) throw wrongType(`${option}.${missing}`, "a function", value[missing]);
}

function wrongType(option: string, wanted: string, got: unknown): TypeError {
  return new TypeError(`${option} must be ${wanted}, got ${describeValue(got)}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

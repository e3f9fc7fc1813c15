import type { Message, ToolCallPart } from "@holdfast/message-schema";
import type { MessageShape } from "@holdfast/tail-window";
import { toolKey } from "../file-tools-1.ts";
import { firstGiven } from "../first-given.ts";
import { excerpt } from "./excerpt.ts";
import { MAX_PLAN_ITEMS, maxCharacters } from "./ledger-bounds.ts";

/** Tools by which a model writes its plan down, by the name as `toolKey` writes it. */
const planTools: readonly string[] = [
  "exitplanmode",
  "plan",
  "settodolist",
  "todo",
  "todolist",
  "todowrite",
  "updateplan",
  "updatetodolist",
  "updatetodos",
  "writetodos",
];
const planArguments: readonly string[] = ["todos", "plan", "items", "tasks", "todo_list"];
const itemFields: readonly string[] = ["content", "step", "title", "text", "description", "task"];

/** The newest plan of the messages, an item each; `undefined` when they state none. A discarded message states none. */
export function statedPlan(messages: readonly Message[], shape: MessageShape<Message>): readonly string[] | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant" || shape.isDiscarded?.(message) === true) continue;
    for (const part of message.content.toReversed()) {
      const items =
        part.type === "toolCall" ? plannedByTool(part) : part.type === "text" ? plannedInText(part.text) : [];
      if (items.length > 0) return items.slice(0, MAX_PLAN_ITEMS);
    }
  }
  return undefined;
}

function plannedByTool(call: ToolCallPart): string[] {
  if (!planTools.includes(toolKey(call.name))) return [];
  const value = firstGiven(call, planArguments);
  const items: readonly unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split("\n") : [];
  return items.map(planItem).filter((item) => item !== "");
}

function planItem(item: unknown): string {
  if (typeof item === "string") return excerpt(item, maxCharacters.planItem);
  if (typeof item !== "object" || item === null) return "";
  const fields = item as Readonly<Record<string, unknown>>;
  const text = itemFields.map((field) => fields[field]).find((value) => typeof value === "string");
  if (typeof text !== "string") return "";
  const status = typeof fields.status === "string" ? ` (${excerpt(fields.status, maxCharacters.planStatus)})` : "";
  return `${excerpt(text, maxCharacters.planItem)}${status}`;
}

const planHeading =
  /^\W*(?:(?:my|the|updated|new) )?(?:next steps?|plan|to-?do(?: list)?|remaining(?: work| steps| tasks)?)\b.{0,40}$/i;
const listItem = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$/;

/** The list under the last line of a text that reads like the heading of a plan. */
function plannedInText(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const heading = lines.findLastIndex((line) => planHeading.test(line) && !listItem.test(line));
  if (heading < 0) return [];
  const items: string[] = [];
  for (const line of lines.slice(heading + 1)) {
    const item = listItem.exec(line)?.[1];
    if (item === undefined) break;
    items.push(excerpt(item, maxCharacters.planItem));
  }
  return items;
}

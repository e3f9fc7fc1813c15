import { isObject, type JsonObject, label, nonEmpty, property, text } from "../json-value.ts";
import type { LineReader, LineReading, LineRecord, ReadReport } from "../transcript-reader.ts";
import { type ClaudeThread, createClaudeThread } from "./claude-code-thread.ts";

/** Records about the session that are no part of what the model sees. */
const silentTypes: ReadonlySet<unknown> = new Set([
  "summary",
  "file-history-snapshot",
  "queue-operation",
  "pr-link",
  "permission-mode",
  "mode",
  "custom-title",
  "ai-title",
  "agent-name",
  "tag",
  "last-prompt",
]);

/**
 * Session files of Claude Code. The conversation is file order: the `parentUuid` links of parallel calls fork without
 * being branches. Sub-agents that stand inline (`isSidechain`) are conversations of their own after the main one.
 */
export const claudeCode: LineReader = {
  format: "claude-code",
  layout: "lines",
  refuse(sample) {
    return sample.some(isClaudeMessage) || (sample.length > 0 && sample.every(isClaudeAside))
      ? undefined
      : "no user or assistant record with a uuid and a sessionId";
  },
  open: openClaudeCode,
};

function isClaudeMessage(value: unknown): boolean {
  const type = property(value, "type");
  return (
    (type === "user" || type === "assistant" || type === "system" || type === "progress") &&
    text(property(value, "uuid")) !== undefined &&
    text(property(value, "sessionId")) !== undefined
  );
}

function isClaudeAside(value: unknown): boolean {
  const type = property(value, "type");
  return (
    (type === "summary" && text(property(value, "leafUuid")) !== undefined) ||
    (type === "file-history-snapshot" && isObject(property(value, "snapshot")))
  );
}

function openClaudeCode(report: ReadReport): LineReading {
  const main = createClaudeThread(report);
  const sideThreads = new Map<string, ClaudeThread>();
  const sideOfUuid = new Map<string, string>();
  let newestSide: string | undefined;
  let sessionId: string | undefined;

  /** The sub-agent a line belongs to: its own, its parent's, or, for a lost parent, the newest one. */
  function threadOf(record: JsonObject): ClaudeThread {
    if (record.isSidechain !== true) return main;
    const uuid = nonEmpty(record.uuid) ?? "side";
    const parent = nonEmpty(record.parentUuid);
    const side =
      nonEmpty(record.agentId) ?? (parent === undefined ? uuid : (sideOfUuid.get(parent) ?? newestSide ?? uuid));
    sideOfUuid.set(uuid, side);
    newestSide = side;
    const known = sideThreads.get(side);
    if (known) return known;
    const opened = createClaudeThread(report);
    sideThreads.set(side, opened);
    return opened;
  }

  return {
    record(line: LineRecord) {
      const record = line.value;
      if (!isObject(record)) {
        report.note({ line: line.line, problem: "not an object", action: "set aside" });
        return;
      }
      sessionId ??= nonEmpty(record.sessionId);
      switch (record.type) {
        case "user":
          return threadOf(record).user(record, line);
        case "assistant":
          return threadOf(record).assistant(record, line);
        case "system":
        case "progress":
          return threadOf(record).aside(record);
        case "attachment":
          return isQueued(record) ? queuedPrompt(record, line, threadOf(record)) : threadOf(record).aside(record);
        default:
          // What hangs on a record of an unknown type is of the same branch.
          if (nonEmpty(record.uuid) !== undefined) threadOf(record).aside(record);
          if (!silentTypes.has(record.type)) report.ignore(label(record.type), line.line);
      }
    },
    finish() {
      const sides = [...sideThreads].map(([id, thread]) => thread.finish(id));
      const conversation = main.finish(sessionId ?? "session");
      return conversation.messages.length > 0 || sides.length === 0 ? [conversation, ...sides] : sides;
    },
  };
}

/** Of the attachments only a prompt that was queued while the model worked is something the user said. */
function isQueued(record: JsonObject): boolean {
  return property(property(record, "attachment"), "type") === "queued_command";
}

function queuedPrompt(record: JsonObject, line: LineRecord, thread: ClaudeThread): void {
  const attachment = property(record, "attachment");
  const prompt = property(attachment, "prompt");
  const isNotice = (property(attachment, "commandMode") ?? "prompt") !== "prompt";
  thread.user({ ...record, isMeta: isNotice, message: { role: "user", content: prompt } }, line);
}

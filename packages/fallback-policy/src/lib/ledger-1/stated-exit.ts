import type { ToolResultMessage } from "@holdfast/message-schema";
import { messageText } from "./message-text.ts";

const statedLine =
  /^(?:Exit code:? |Process exited with code |Command exited with code |<returncode>)(-?\d{1,9})(?:<\/returncode>)?$/;
/** Lines a tool may write above its exit code. */
const headLine = /^(?:Chunk ID|Wall time): /;
const MAX_HEAD_LINES = 6;
const EDGE_CHARACTERS = 1000;

/**
 * The exit code that the tool itself states: in a structure of its own, or on a line at the head of the result, above
 * the output; in a result that is marked as an error also on its last line. `null` when there is none. What stands
 * elsewhere is output, and may tell of any other command.
 */
export function statedExit(result: ToolResultMessage): number | null {
  const text = messageText(result).trim();
  return exitInStructure(text) ?? exitAtHead(text) ?? (result.isError ? exitOnLastLine(text) : undefined) ?? null;
}

/** From `{"output": "…", "metadata": {"exit_code": 0}}`. */
function exitInStructure(text: string): number | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value.output !== "string" || !isObject(value.metadata)) return undefined;
    const exit = value.metadata.exit_code;
    return typeof exit === "number" && Number.isSafeInteger(exit) ? exit : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function exitAtHead(text: string): number | undefined {
  for (const line of text.slice(0, EDGE_CHARACTERS).split("\n").slice(0, MAX_HEAD_LINES)) {
    const exit = exitOf(line);
    if (exit !== undefined || !headLine.test(line)) return exit;
  }
  return undefined;
}

function exitOnLastLine(text: string): number | undefined {
  return exitOf(text.slice(-EDGE_CHARACTERS).split("\n").at(-1) ?? "");
}

function exitOf(line: string): number | undefined {
  const stated = statedLine.exec(line.trim())?.[1];
  return stated === undefined ? undefined : Number(stated);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

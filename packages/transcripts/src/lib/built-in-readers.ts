import { claudeCode } from "./readers/claude-code.ts";
import { codex } from "./readers/codex.ts";
import { copilotCli } from "./readers/copilot-cli.ts";
import { geminiCli } from "./readers/gemini-cli.ts";
import { kimiCli } from "./readers/kimi-cli.ts";
import { opencode } from "./readers/opencode.ts";
import { pi } from "./readers/pi.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

/** In the order they are asked. What they recognise does not overlap, save where a line says so. */
export const builtInReaders: readonly TranscriptReader[] = [
  pi,
  claudeCode,
  codex,
  copilotCli,
  kimiCli,
  opencode,
  geminiCli,
];

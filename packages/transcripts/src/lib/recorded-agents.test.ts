import { describeWithSessions } from "@holdfast/test-kit";
import { expect, test } from "vitest";
import { countSession } from "./fixtures/count-session.ts";
import { readTranscript } from "./read-transcript.ts";

describeWithSessions("counts in sessions of coding agents", (sessionFile) => {
  test("pi-v1__pi-mono__before-compaction: three commands the user ran in the shell count as user messages", async () => {
    expect(countSession(await readTranscript(sessionFile("pi-v1__pi-mono__before-compaction.jsonl")))).toEqual({
      format: "pi",
      conversations: 1,
      system: 0,
      user: 58,
      injected: 3,
      assistant: 484,
      toolResult: 448,
      calls: 454,
      orphans: 0,
      unanswered: 6,
      compactions: 2,
    });
  });

  test("pi-v1__pi-mono__large-session: calls of aborted messages stay unanswered", async () => {
    expect(countSession(await readTranscript(sessionFile("pi-v1__pi-mono__large-session.jsonl")))).toEqual({
      format: "pi",
      conversations: 1,
      system: 0,
      user: 88,
      injected: 0,
      assistant: 453,
      toolResult: 373,
      calls: 391,
      orphans: 0,
      unanswered: 18,
      compactions: 0,
    });
  });

  test("pi-v3__gajae__03-raddit-dashboard: project context of an extension counts as injected user messages", async () => {
    expect(countSession(await readTranscript(sessionFile("pi-v3__gajae__03-raddit-dashboard.jsonl")))).toEqual({
      format: "pi",
      conversations: 1,
      system: 0,
      user: 47,
      injected: 22,
      assistant: 253,
      toolResult: 258,
      calls: 259,
      orphans: 0,
      unanswered: 1,
      compactions: 1,
    });
  });

  test("pi-v3__gajae__04-awesome-agent-ide: a call whose result stood on a broken line is unanswered", async () => {
    expect(countSession(await readTranscript(sessionFile("pi-v3__gajae__04-awesome-agent-ide.jsonl")))).toEqual({
      format: "pi",
      conversations: 1,
      system: 0,
      user: 12,
      injected: 6,
      assistant: 60,
      toolResult: 77,
      calls: 78,
      orphans: 0,
      unanswered: 1,
      compactions: 0,
    });
  });

  test("pi-v3__trl__copilot-opus: a plain session", async () => {
    expect(countSession(await readTranscript(sessionFile("pi-v3__trl__copilot-opus.jsonl")))).toEqual({
      format: "pi",
      conversations: 1,
      system: 0,
      user: 5,
      injected: 0,
      assistant: 76,
      toolResult: 78,
      calls: 78,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("claude__entire-cli__3-compactions: 518 lines are 226 assistant messages", async () => {
    // The boundary and the summary behind it are one compaction each, not two.
    expect(countSession(await readTranscript(sessionFile("claude__entire-cli__3-compactions.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 1,
      system: 0,
      user: 54,
      injected: 12,
      assistant: 226,
      toolResult: 206,
      calls: 206,
      orphans: 0,
      unanswered: 0,
      compactions: 3,
    });
  });

  test("claude__entire-cli__subagent-progress: the traffic of sub-agents in progress lines is not counted", async () => {
    expect(countSession(await readTranscript(sessionFile("claude__entire-cli__subagent-progress.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 1,
      system: 0,
      user: 27,
      injected: 10,
      assistant: 48,
      toolResult: 45,
      calls: 45,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("claude__entire-cli__api-error: shell output and API errors are in, and marked", async () => {
    expect(countSession(await readTranscript(sessionFile("claude__entire-cli__api-error.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 1,
      system: 0,
      user: 16,
      injected: 3,
      assistant: 84,
      toolResult: 94,
      calls: 94,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("claude__code-viewer__inline-sidechains: five sub-agents inline are conversations of their own", async () => {
    expect(countSession(await readTranscript(sessionFile("claude__code-viewer__inline-sidechains.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 6,
      system: 0,
      user: 8,
      injected: 1,
      assistant: 170,
      toolResult: 167,
      calls: 167,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("claude__agentcmd__unanswered-calls: three calls were never answered", async () => {
    expect(countSession(await readTranscript(sessionFile("claude__agentcmd__unanswered-calls.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 1,
      system: 0,
      user: 2,
      injected: 0,
      assistant: 10,
      toolResult: 20,
      calls: 23,
      orphans: 0,
      unanswered: 3,
      compactions: 0,
    });
  });

  test("claude__kimi-cli__cjk-images-microcompact: nine clearings of tool outputs", async () => {
    expect(countSession(await readTranscript(sessionFile("claude__kimi-cli__cjk-images-microcompact.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 1,
      system: 0,
      user: 12,
      injected: 3,
      assistant: 69,
      toolResult: 72,
      calls: 72,
      orphans: 0,
      unanswered: 0,
      compactions: 9,
    });
  });

  test("claude__apanloco__hooks: hook lines are no messages", async () => {
    expect(countSession(await readTranscript(sessionFile("claude__apanloco__hooks.jsonl")))).toEqual({
      format: "claude-code",
      conversations: 1,
      system: 0,
      user: 11,
      injected: 0,
      assistant: 22,
      toolResult: 12,
      calls: 12,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("codex__agentv__2-compactions: reasoning, texts and calls in a row are one assistant message", async () => {
    // 174 assistant items are texts; calls without a text before them make the other 43 messages.
    expect(countSession(await readTranscript(sessionFile("codex__agentv__2-compactions.jsonl")))).toEqual({
      format: "codex",
      conversations: 1,
      system: 1,
      user: 7,
      injected: 1,
      assistant: 217,
      toolResult: 342,
      calls: 342,
      orphans: 0,
      unanswered: 0,
      compactions: 2,
    });
  });

  test("codex__agentv__aborted-websearch: a search the provider ran is no open call", async () => {
    expect(countSession(await readTranscript(sessionFile("codex__agentv__aborted-websearch.jsonl")))).toEqual({
      format: "codex",
      conversations: 1,
      system: 2,
      user: 30,
      injected: 4,
      assistant: 134,
      toolResult: 148,
      calls: 149,
      orphans: 0,
      unanswered: 1,
      compactions: 0,
    });
  });

  test("kimi-cli-wire__agent-sessions__full-compaction: a step is an assistant message", async () => {
    expect(
      countSession(await readTranscript(sessionFile("kimi-cli-wire__agent-sessions__full-compaction.jsonl"))),
    ).toEqual({
      format: "kimi-cli",
      conversations: 1,
      system: 0,
      user: 13,
      injected: 5,
      assistant: 22,
      toolResult: 19,
      calls: 19,
      orphans: 0,
      unanswered: 0,
      compactions: 1,
    });
  });

  test("copilot-cli__agentv__tools: a notice to the model is an injected user message", async () => {
    expect(countSession(await readTranscript(sessionFile("copilot-cli__agentv__tools.jsonl")))).toEqual({
      format: "copilot-cli",
      conversations: 1,
      system: 1,
      user: 2,
      injected: 1,
      assistant: 54,
      toolResult: 68,
      calls: 68,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("opencode__nimbus__errors: a tool part is a call and a result; redacted ids pair all the same", async () => {
    // 32 outputs were cleared in one go: one compaction with 32 calls.
    expect(countSession(await readTranscript(sessionFile("opencode__nimbus__errors.json")))).toEqual({
      format: "opencode",
      conversations: 1,
      system: 0,
      user: 5,
      injected: 0,
      assistant: 135,
      toolResult: 225,
      calls: 225,
      orphans: 0,
      unanswered: 0,
      compactions: 1,
    });
  });

  test("opencode__nimbus__subtasks: texts opencode wrote itself are injected", async () => {
    expect(countSession(await readTranscript(sessionFile("opencode__nimbus__subtasks.json")))).toEqual({
      format: "opencode",
      conversations: 1,
      system: 0,
      user: 18,
      injected: 3,
      assistant: 98,
      toolResult: 90,
      calls: 90,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("gemini-cli__agentcmd__2025-10-27: calls and results out of one message", async () => {
    expect(countSession(await readTranscript(sessionFile("gemini-cli__agentcmd__2025-10-27.json")))).toEqual({
      format: "gemini-cli",
      conversations: 1,
      system: 0,
      user: 3,
      injected: 0,
      assistant: 15,
      toolResult: 13,
      calls: 13,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("gemini-cli__entire-cli__2026-01-15: a notice of the screen is no message", async () => {
    expect(countSession(await readTranscript(sessionFile("gemini-cli__entire-cli__2026-01-15.json")))).toEqual({
      format: "gemini-cli",
      conversations: 1,
      system: 0,
      user: 1,
      injected: 0,
      assistant: 11,
      toolResult: 9,
      calls: 9,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });
});

import { describeWithSessions } from "@holdfast/test-kit";
import { expect, test } from "vitest";
import { countSession } from "./fixtures/count-session.ts";
import { readTranscript } from "./read-transcript.ts";

describeWithSessions("counts in logs, benchmarks and message lists", (sessionFile) => {
  test("swe-agent__marshmallow-1867__function-calling: ids that come again pair with the nearest call", async () => {
    expect(
      countSession(await readTranscript(sessionFile("swe-agent__marshmallow-1867__function-calling.traj"))),
    ).toEqual({
      format: "swe-agent",
      conversations: 1,
      system: 1,
      user: 1,
      injected: 0,
      assistant: 13,
      toolResult: 13,
      calls: 13,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("swe-agent__pydicom-1458__2024-text-actions: the demonstration and the observations are injected", async () => {
    expect(countSession(await readTranscript(sessionFile("swe-agent__pydicom-1458__2024-text-actions.traj")))).toEqual({
      format: "swe-agent",
      conversations: 1,
      system: 1,
      user: 13,
      injected: 12,
      assistant: 12,
      toolResult: 0,
      calls: 0,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("mini-swe-agent__github-issue: a bare list of messages reads as OpenAI Chat", async () => {
    expect(countSession(await readTranscript(sessionFile("mini-swe-agent__github-issue.traj.json")))).toEqual({
      format: "openai-chat",
      conversations: 1,
      system: 1,
      user: 11,
      injected: 0,
      assistant: 10,
      toolResult: 0,
      calls: 0,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("openhands-v0__multi-swe-bench-output: a run a line is a conversation a line", async () => {
    expect(countSession(await readTranscript(sessionFile("openhands-v0__multi-swe-bench-output.jsonl")))).toEqual({
      format: "openhands-v0",
      conversations: 3,
      system: 3,
      user: 5,
      injected: 2,
      assistant: 105,
      toolResult: 103,
      calls: 105,
      orphans: 0,
      unanswered: 2,
      compactions: 0,
    });
  });

  test("openhands-v1__cli447-case-a: a directory of events is one session", async () => {
    expect(countSession(await readTranscript(sessionFile("openhands-v1__cli447-case-a")))).toEqual({
      format: "openhands-v1",
      conversations: 1,
      system: 1,
      user: 4,
      injected: 0,
      assistant: 6,
      toolResult: 3,
      calls: 3,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("openai-chat__openhands-litellm-log: the history is read once, not in its second rendering", async () => {
    expect(countSession(await readTranscript(sessionFile("openai-chat__openhands-litellm-log.json")))).toEqual({
      format: "openai-chat",
      conversations: 1,
      system: 1,
      user: 4,
      injected: 0,
      assistant: 3,
      toolResult: 0,
      calls: 0,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("tau-bench__gpt-4o-airline: two hundred conversations in one file", async () => {
    expect(countSession(await readTranscript(sessionFile("tau-bench__gpt-4o-airline.json")))).toEqual({
      format: "tau-bench",
      conversations: 200,
      system: 200,
      user: 1490,
      injected: 0,
      assistant: 2454,
      toolResult: 1164,
      calls: 1164,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("anthropic-messages__cline-session: results leave the user's role", async () => {
    // Eleven of sixteen user messages only carry results.
    expect(countSession(await readTranscript(sessionFile("anthropic-messages__cline-session.messages.json")))).toEqual({
      format: "cline",
      conversations: 1,
      system: 0,
      user: 5,
      injected: 0,
      assistant: 16,
      toolResult: 11,
      calls: 11,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("sharegpt__glaive-toolcall-zh: three hundred conversations; two observations answer no call", async () => {
    expect(countSession(await readTranscript(sessionFile("sharegpt__glaive-toolcall-zh.json")))).toEqual({
      format: "sharegpt",
      conversations: 300,
      system: 0,
      user: 722,
      injected: 0,
      assistant: 940,
      toolResult: 218,
      calls: 216,
      orphans: 2,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("toolbench__G3-13-dfs-tree: five paths of a search tree, each ending in an open call", async () => {
    expect(countSession(await readTranscript(sessionFile("toolbench__G3-13-dfs-tree.json")))).toEqual({
      format: "toolbench",
      conversations: 5,
      system: 5,
      user: 9,
      injected: 0,
      assistant: 15,
      toolResult: 10,
      calls: 15,
      orphans: 0,
      unanswered: 5,
      compactions: 0,
    });
  });

  test("inspect__log-images: a sample with a picture", async () => {
    expect(countSession(await readTranscript(sessionFile("inspect__log-images.json")))).toEqual({
      format: "inspect",
      conversations: 1,
      system: 1,
      user: 1,
      injected: 0,
      assistant: 1,
      toolResult: 0,
      calls: 0,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("anthropic-api__native-compaction: a single response with a compaction in it", async () => {
    expect(countSession(await readTranscript(sessionFile("anthropic-api__native-compaction.json")))).toEqual({
      format: "anthropic-messages",
      conversations: 1,
      system: 0,
      user: 0,
      injected: 0,
      assistant: 1,
      toolResult: 0,
      calls: 0,
      orphans: 0,
      unanswered: 0,
      compactions: 1,
    });
  });

  test("ai-sdk-ui-stream__react-agent: one streamed message of two steps", async () => {
    // The stream is one UI message; its second step answers the results of the first.
    expect(countSession(await readTranscript(sessionFile("ai-sdk-ui-stream__react-agent.json")))).toEqual({
      format: "ai-sdk-ui-stream",
      conversations: 1,
      system: 0,
      user: 0,
      injected: 0,
      assistant: 2,
      toolResult: 2,
      calls: 2,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("adk__flow-complex-spark: results without ids pair by name", async () => {
    expect(countSession(await readTranscript(sessionFile("adk__flow-complex-spark.session.json")))).toEqual({
      format: "adk",
      conversations: 1,
      system: 0,
      user: 1,
      injected: 0,
      assistant: 6,
      toolResult: 2,
      calls: 2,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("dsh__goal-multi-turn: the stream beside the messages is not counted again", async () => {
    expect(countSession(await readTranscript(sessionFile("dsh__goal-multi-turn.jsonl")))).toEqual({
      format: "dsh",
      conversations: 1,
      system: 0,
      user: 4,
      injected: 2,
      assistant: 12,
      toolResult: 11,
      calls: 11,
      orphans: 0,
      unanswered: 0,
      compactions: 0,
    });
  });

  test("langchain-lc__langgraph-streams: the last state with messages counts", async () => {
    // The first stream ends in an interrupt without messages: its last state with some adds a request and an open call.
    expect(countSession(await readTranscript(sessionFile("langchain-lc__langgraph-streams.json")))).toEqual({
      format: "langchain",
      conversations: 3,
      system: 0,
      user: 3,
      injected: 0,
      assistant: 5,
      toolResult: 3,
      calls: 4,
      orphans: 0,
      unanswered: 1,
      compactions: 0,
    });
  });
});

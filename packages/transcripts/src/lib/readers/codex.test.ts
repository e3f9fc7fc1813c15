import { expect, test } from "vitest";
import { jsonLines } from "../fixtures/json-lines.ts";
import { readTranscript } from "../read-transcript.ts";

const line = (type: string, payload: object) => ({ timestamp: "2026-01-01T00:00:00.000Z", type, payload });
const item = (payload: object) => line("response_item", payload);
const said = (role: string, text: string) =>
  item({ type: "message", role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] });
const call = (id: string, args: string) => item({ type: "function_call", name: "shell", arguments: args, call_id: id });
const output = (id: string, text: string) => item({ type: "function_call_output", call_id: id, output: text });

test("events repeat the history and are not read twice; what was said in one go is one message", async () => {
  const file = await readTranscript(
    jsonLines(
      line("session_meta", { id: "s", model_provider: "openai" }),
      line("turn_context", { model: "gpt" }),
      said("user", "list"),
      line("event_msg", { type: "user_message", message: "list" }),
      item({ type: "reasoning", summary: [{ type: "summary_text", text: "Two calls." }], encrypted_content: "sealed" }),
      said("assistant", "Listing."),
      line("event_msg", { type: "agent_message", message: "Listing." }),
      call("c1", '{"cmd":"ls"}'),
      call("c2", '{"cmd":"ls -a"}'),
      output("c1", "a"),
      output("c2", ".b"),
      line("event_msg", {
        type: "token_count",
        info: { last_token_usage: { input_tokens: 90, cached_input_tokens: 40, output_tokens: 10, total_tokens: 100 } },
      }),
      said("assistant", "Done."),
    ),
  );
  expect(file.conversations[0]?.messages).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Two calls.", signature: "sealed" },
        { type: "text", text: "Listing." },
        { type: "toolCall", id: "c1", arguments: { cmd: "ls" } },
        { type: "toolCall", id: "c2" },
      ],
      stopReason: "toolUse",
      provider: "openai",
      model: "gpt",
      usage: { input: 50, cacheRead: 40, output: 10, totalTokens: 100 },
    },
    { role: "toolResult", toolCallId: "c1", toolName: "shell" },
    { role: "toolResult", toolCallId: "c2" },
    { role: "assistant", content: [{ text: "Done." }], stopReason: "stop" },
  ]);
});

test("what the harness says in the user's or the developer's role is injected", async () => {
  const file = await readTranscript(
    jsonLines(
      said("developer", "<permissions instructions>"),
      said("user", "# AGENTS.md instructions for /w"),
      said("user", "<environment_context>\n</environment_context>"),
      said("user", "fix it"),
    ),
  );
  expect(file.conversations[0]?.messages.map(({ role, ...rest }) => [role, "origin" in rest && rest.origin])).toEqual([
    ["system", "injected"],
    ["user", "injected"],
    ["user", "injected"],
    ["user", false],
  ]);
});

test("a compaction that cannot be read keeps what stands in its place", async () => {
  const replacement = [{ type: "compaction", encrypted_content: "sealed" }];
  const file = await readTranscript(
    jsonLines(said("user", "go"), line("compacted", { message: "", replacement_history: replacement })),
  );
  expect(file.conversations[0]?.compactions).toEqual([
    { at: 1, summary: null, replaces: "all", opaque: { message: "", replacement_history: replacement } },
  ]);
});

test("a turn that was stopped while the model asked is aborted; one with its results is whole", async () => {
  const stopped = line("event_msg", { type: "turn_aborted", reason: "interrupted" });
  const file = await readTranscript(
    jsonLines(
      said("user", "go"),
      call("c1", "{}"),
      output("c1", "ok"),
      stopped,
      said("user", "again"),
      call("c2", "{"),
      stopped,
    ),
  );
  const answers = file.conversations[0]?.messages.filter((message) => message.role === "assistant");
  expect(answers).toMatchObject([
    { stopReason: "toolUse" },
    { stopReason: "aborted", content: [{ arguments: {}, rawArguments: "{" }] },
  ]);
});

test("turns the user took back are gone, with the compactions in them; what was injected is no turn", async () => {
  const file = await readTranscript(
    jsonLines(
      line("session_meta", { id: "s" }),
      said("user", "<environment_context>here</environment_context>"),
      said("user", "one"),
      said("assistant", "1"),
      said("user", "two"),
      said("assistant", "2"),
      line("compacted", { message: "" }),
      said("user", "<turn_aborted>stopped</turn_aborted>"),
      said("user", "three"),
      line("event_msg", { type: "thread_rolled_back", num_turns: 2 }),
      said("user", "four"),
      said("assistant", "4"),
    ),
  );
  const [conversation] = file.conversations;
  expect(conversation?.messages.map(({ content }) => content)).toMatchObject([
    [{ text: "<environment_context>here</environment_context>" }],
    [{ text: "one" }],
    [{ text: "1" }],
    [{ text: "four" }],
    [{ text: "4" }],
  ]);
  expect(conversation?.compactions).toEqual([]);
  expect(file.diagnostics).toEqual([
    { line: 10, problem: "4 messages of turns the user went back on", action: "left out" },
  ]);
});

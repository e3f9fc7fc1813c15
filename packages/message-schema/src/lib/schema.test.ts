import { describe, expect, it } from "vitest";
import { messageSchema, transcriptSchema } from "./schema.ts";

const call = (id: string, callId: string) => ({
  id,
  role: "assistant",
  content: [{ type: "toolCall", id: callId, name: "bash", arguments: { command: "ls" } }],
  stopReason: "toolUse",
});
const result = (id: string, callId: string, text: string) => ({
  id,
  role: "toolResult",
  toolCallId: callId,
  toolName: "bash",
  content: [{ type: "text", text }],
  isError: false,
});

describe("a message from outside", () => {
  it("is read with every field, also those the schema does not name", () => {
    const message = { id: "1", role: "user", content: [{ type: "text", text: "Hi", cache: true }], via: "phone" };
    expect(messageSchema.parse(message)).toEqual(message);
  });

  it("keeps a part of an unknown type whole, inside an opaque part, and once only", () => {
    const part = { type: "video", url: "https://example.org/v", frames: 3 };
    const once = messageSchema.parse({ id: "1", role: "user", content: [part] });
    expect(once).toEqual({ id: "1", role: "user", content: [{ type: "opaque", value: part }] });
    expect(messageSchema.parse(once)).toEqual(once);
  });

  it("SC-02 refuses a tool result whose role is missing or wrong, and guesses none", () => {
    const stored = { id: "m7", toolCallId: "c1", content: "ok" };
    expect(messageSchema.safeParse(stored).success).toBe(false);
    expect(messageSchema.safeParse({ ...stored, role: "assistant" }).success).toBe(false);
    expect(messageSchema.safeParse({ ...stored, role: "tool" }).success).toBe(false);
    expect(messageSchema.safeParse({ ...stored, role: "toolResult" }).success).toBe(false);
    expect(messageSchema.safeParse(result("m7", "c1", "ok")).success).toBe(true);
  });

  it("SC-03 may be blank: what is blank is left out of requests, not of the transcript", () => {
    expect(messageSchema.safeParse({ id: "1", role: "user", content: "" }).success).toBe(true);
    expect(messageSchema.safeParse(result("2", "c", "")).success).toBe(true);
  });

  it("must have an id, a known stop reason and arguments that are an object", () => {
    expect(messageSchema.safeParse({ id: "", role: "user", content: "Hi" }).success).toBe(false);
    expect(messageSchema.safeParse({ ...call("1", "c"), stopReason: "bored" }).success).toBe(false);
    const content = [{ type: "toolCall", id: "c", name: "bash", arguments: "ls" }];
    expect(messageSchema.safeParse({ ...call("1", "c"), content }).success).toBe(false);
  });
});

describe("a transcript from outside", () => {
  it("may be empty", () => {
    expect(transcriptSchema.parse([])).toEqual([]);
  });

  it("SC-01 may use a tool call id again in a later round", () => {
    const transcript = [
      { id: "u1", role: "user", content: "Go" },
      call("a1", "call_0"),
      result("r1", "call_0", "a"),
      call("a2", "call_0"),
      result("r2", "call_0", "b"),
    ];
    expect(transcriptSchema.parse(transcript)).toEqual(transcript);
  });

  it("may not use a message id twice, and says which and where", () => {
    const parsed = transcriptSchema.safeParse([
      { id: "1", role: "user", content: "Hi" },
      { id: "1", role: "user", content: "Hi again" },
    ]);
    expect(parsed.error?.issues).toMatchObject([{ path: [1, "id"], message: "message id 1 is used twice" }]);
  });
});

import { describe, expect, test } from "vitest";
import { checkRequest } from "./check-request.ts";

const user = { id: "u1", role: "user", content: "Rename the parser" };
const calls = (id: string, ...callIds: string[]) => ({
  id,
  role: "assistant",
  content: callIds.map((callId) => ({ type: "toolCall", id: callId, name: "read", arguments: { path: "a.ts" } })),
  stopReason: "toolUse",
});
const result = (id: string, toolCallId: string) => ({
  id,
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [{ type: "text", text: "export {}" }],
  isError: false,
});
const says = (id: string, content: readonly unknown[]) => ({ id, role: "assistant", content, stopReason: "stop" });

describe("a request that a provider takes", () => {
  test("parallel calls answered in another order", () => {
    const messages = [user, calls("a1", "c1", "c2"), result("r2", "c2"), result("r1", "c1")];
    expect(checkRequest(messages, { startsWithUser: true, endsWithInput: true })).toEqual([]);
  });

  test("SC-01 a call id used again in a later round", () => {
    expect(
      checkRequest([
        user,
        calls("a1", "call_0"),
        result("r1", "call_0"),
        calls("a2", "call_0"),
        result("r2", "call_0"),
      ]),
    ).toEqual([]);
  });

  test("two equal call ids in one message, answered twice", () => {
    expect(checkRequest([user, calls("a1", "c", "c"), result("r1", "c"), result("r2", "c")])).toEqual([]);
  });

  test("reasoning beside a text, a picture in a result, leading system messages", () => {
    const thought = { type: "thinking", thinking: "hm", signature: "s" };
    const picture = { type: "image", data: "AAAA", mimeType: "image/png" };
    const messages = [
      { id: "s1", role: "system", content: "Be brief" },
      user,
      says("a1", [thought, { type: "text", text: "Done" }]),
      { ...user, id: "u2" },
      calls("a2", "c1"),
      { ...result("r1", "c1"), content: [picture] },
    ];
    expect(checkRequest(messages, { startsWithUser: true, endsWithInput: true })).toEqual([]);
  });
});

describe("pairing", () => {
  test("a result whose call is gone", () => {
    expect(checkRequest([user, result("r1", "c1")])).toEqual([
      "message 1 (r1) answers the call c1 that is not right before it",
    ]);
  });

  test("SE-02 a sound pair does not hide an orphan beside it", () => {
    expect(checkRequest([user, calls("a1", "b"), result("ra", "a"), result("rb", "b")])).toEqual([
      "message 2 (ra) answers the call a that is not right before it",
    ]);
  });

  test("a call that nothing answers, also the last one", () => {
    expect(checkRequest([user, calls("a1", "c1", "c2"), result("r1", "c1")])).toEqual([
      "message 1 (a1) makes the call c2 that nothing answers",
    ]);
  });

  test("a message between a call and its result", () => {
    const messages = [user, calls("a1", "c1"), { ...user, id: "u2" }, result("r1", "c1")];
    expect(checkRequest(messages)).toEqual([
      "message 1 (a1) makes the call c1 that nothing answers",
      "message 3 (r1) answers the call c1 that is not right before it",
    ]);
  });

  test("a second result for an answered call", () => {
    expect(checkRequest([user, calls("a1", "c1"), result("r1", "c1"), result("r2", "c1")])).toEqual([
      "message 3 (r2) answers the call c1 once more",
    ]);
  });

  test("a result that comes before its call", () => {
    expect(checkRequest([user, result("r1", "c1"), calls("a1", "c1")])).toEqual([
      "message 1 (r1) answers the call c1 that is not right before it",
      "message 2 (a1) makes the call c1 that nothing answers",
    ]);
  });
});

describe("contents", () => {
  test("SC-03 blank texts, reasoning alone and silent results", () => {
    expect(checkRequest([user, says("a1", [{ type: "text", text: " \n" }])])).toEqual([
      "message 1 (a1) part 0 is a blank text",
    ]);
    expect(checkRequest([user, says("a1", [{ type: "thinking", thinking: "hm" }])])).toEqual([
      "message 1 (a1) holds only reasoning",
    ]);
    expect(checkRequest([user, says("a1", [])])).toEqual(["message 1 (a1) has empty content"]);
    expect(checkRequest([{ ...user, content: "\u00a0\t" }])).toEqual(["message 0 (u1) has blank content"]);
    expect(checkRequest([user, calls("a1", "c1"), { ...result("r1", "c1"), content: [] }])).toEqual([
      "message 2 (r1) has empty content",
    ]);
  });

  test.each(["error", "aborted", "deferred"])("an assistant message that ended in %s", (stopReason) => {
    expect(checkRequest([user, { ...says("a1", [{ type: "text", text: "Well" }]), stopReason }])).toEqual([
      `message 1 (a1) ended in "${stopReason}" and is sent`,
    ]);
  });

  test("arguments that are a text, a list or nothing", () => {
    for (const wrong of ['{"path":"a.ts"}', ["a.ts"], null, undefined]) {
      const call = { type: "toolCall", id: "c1", name: "read", arguments: wrong };
      expect(checkRequest([user, { ...says("a1", [call]), stopReason: "toolUse" }, result("r1", "c1")])).toEqual([
        "message 1 (a1) part 0 is a call whose arguments are no object",
      ]);
    }
  });

  test("SC-02 a message without a usable role, and parts that do not belong to their role", () => {
    expect(checkRequest([user, { id: "m7", content: "ok" }])).toEqual(["message 1 (m7) has the role undefined"]);
    expect(checkRequest([{ ...user, content: [{ type: "thinking", thinking: "hm" }] }])).toEqual([
      'message 0 (u1) part 0 is of type "thinking"',
      "message 0 (u1) holds only reasoning",
    ]);
    expect(checkRequest([user, { ...says("a1", []), content: "Done" }])).toEqual([
      "message 1 (a1) has a bare text for content",
    ]);
  });

  test("fields of a wrong kind", () => {
    expect(checkRequest([{ ...user, id: "" }])).toEqual(["message 0 () has no id"]);
    expect(checkRequest([user, { ...says("a1", [{ type: "text", text: "Done" }]), stopReason: "end" }])).toEqual([
      'message 1 (a1) has the stop reason "end"',
    ]);
    expect(checkRequest([user, calls("a1", "c1"), { ...result("r1", "c1"), toolName: 1, isError: "no" }])).toEqual([
      "message 2 (r1) is a tool result without a tool name",
      "message 2 (r1) is a tool result without an error flag",
    ]);
    expect(checkRequest([{ ...user, content: [{ type: "image", data: "", mimeType: "image/png" }] }])).toEqual([
      "message 0 (u1) part 0 is a picture without data or kind",
    ]);
    expect(checkRequest([null, 7])).toEqual(["message 0 is no object", "message 1 is no object"]);
  });
});

describe("the list as a whole", () => {
  test("a message id used twice", () => {
    expect(checkRequest([user, user])).toEqual(["the message id u1 is used more than once"]);
  });

  test("RT-02 a list that starts or ends with a role that is refused", () => {
    const answer = says("a1", [{ type: "text", text: "Done" }]);
    expect(checkRequest([answer], { startsWithUser: true, endsWithInput: true })).toEqual([
      "the request starts with assistant",
      "the request ends with assistant",
    ]);
    expect(checkRequest([])).toEqual(["the request holds no message but system messages"]);
  });

  test("a size at the limit is too much, one below it is not", () => {
    const countTokens = (messages: readonly unknown[]) => messages.length * 10;
    expect(checkRequest([user], { countTokens, limitTokens: 11 })).toEqual([]);
    expect(checkRequest([user], { countTokens, limitTokens: 10 })).toEqual([
      "the request counts 10 tokens, the limit is 10",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { exchange } from "../fixtures/messages.ts";
import { answeredCalls } from "./answered-calls.ts";

const pairs = (messages: Parameters<typeof answeredCalls>[0]) =>
  answeredCalls(messages).map(({ call, result }) => [call.arguments.command, result.id]);

const call = (id: string, command: string, result?: string) => ({
  id,
  arguments: { command },
  ...(result !== undefined && { result }),
});

describe("answeredCalls", () => {
  it("SC-01 pairs an id that a later turn uses again with the nearest call", () => {
    expect(
      pairs([...exchange("a1", call("call_0", "one", "x")), ...exchange("a2", call("call_0", "two", "y"))]),
    ).toEqual([
      ["one", "a1:call_0"],
      ["two", "a2:call_0"],
    ]);
  });

  it("gives a result to the nearest call when an older one with its id was never answered", () => {
    expect(pairs([...exchange("a1", call("call_0", "one")), ...exchange("a2", call("call_0", "two", "y"))])).toEqual([
      ["two", "a2:call_0"],
    ]);
  });

  it("pairs two equal ids of one message in order, and leaves out a second result for an answered call", () => {
    const [asked, first] = exchange("a1", call("c", "one", "x"), call("c", "two"));
    if (asked === undefined || first === undefined) throw new Error("no exchange");
    const results = ["r1", "r2", "r3"].map((id) => ({ ...first, id }));

    expect(pairs([asked, ...results])).toEqual([
      ["one", "r1"],
      ["two", "r2"],
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { fallbackInput } from "../fixtures/fallback-input.ts";
import { user } from "../fixtures/messages.ts";
import { definePolicy } from "./define-policy.ts";
import { FALLBACK_POLICIES, getFallbackPolicy } from "./fallback-policies.ts";
import { recentWindowV2 } from "./recent-window-v2.ts";

describe("definePolicy", () => {
  it("records the policy's own id, also when it builds on a published one", () => {
    const policy = definePolicy({ id: "my-window@3", build: (input) => recentWindowV2.build(input) });

    expect(policy.id).toBe("my-window@3");
    expect(policy.build(fallbackInput([user("u1", "Go.")]))).toMatchObject({ details: { policy: "my-window@3" } });
  });

  it("passes on that nothing could be built", () => {
    const policy = definePolicy({ id: "my-window@3", build: (input) => recentWindowV2.build(input) });

    expect(policy.build(fallbackInput([user("u1", "Go.")], { overheadTokens: 30_000 }))).toEqual({
      ok: false,
      tooLarge: "overhead",
    });
  });

  it.each(["mine", "mine@", "mine@0", "mine@1.2", "Mine@1", "my window@1", ""])(
    "refuses the id %j, naming it",
    (id) => {
      expect(() => definePolicy({ id, build: recentWindowV2.build })).toThrow(
        new RangeError(
          `a policy id is a name, an at sign and a version, as in "my-window@1", got ${JSON.stringify(id)}`,
        ),
      );
    },
  );

  it("refuses the id of a published policy: its bytes are promised", () => {
    expect(() => definePolicy({ id: "recent-window@2", build: recentWindowV2.build })).toThrow(
      "recent-window@2 is a published policy: a policy of your own needs an id of its own",
    );
  });
});

describe("getFallbackPolicy", () => {
  it("finds each published policy by its id", () => {
    expect(Object.keys(FALLBACK_POLICIES)).toEqual(["latest-user@1", "recent-window@2", "recent-window-ledger@3"]);
    for (const [id, policy] of Object.entries(FALLBACK_POLICIES)) {
      expect(policy.id).toBe(id);
      expect(getFallbackPolicy(id)).toBe(policy);
    }
  });

  it.each(["recent-window", "recent-window@4", "constructor"])("refuses %j and lists what there is", (id) => {
    expect(() => getFallbackPolicy(id)).toThrow(
      `no fallback policy ${JSON.stringify(id)}; there is latest-user@1, recent-window@2, recent-window-ledger@3`,
    );
  });
});

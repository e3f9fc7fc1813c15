import { FALLBACK_POLICIES } from "./fallback-policies.ts";
import type { FallbackInput, FallbackPolicy, FallbackResult } from "./policy.ts";

export interface PolicyDefinition {
  /** A name, an at sign and a whole number, for example `my-window@1`; not the id of a published policy. */
  readonly id: string;
  readonly build: (input: FallbackInput) => FallbackResult;
}

/**
 * A policy of your own. It may build on a published one; its checkpoints record its own id all the same.
 *
 * @throws RangeError when the id has another form or belongs to a published policy.
 */
export function definePolicy({ id, build }: PolicyDefinition): FallbackPolicy {
  if (!/^[a-z0-9][a-z0-9-]*@[1-9][0-9]*$/.test(id)) {
    throw new RangeError(
      `a policy id is a name, an at sign and a version, as in "my-window@1", got ${JSON.stringify(id)}`,
    );
  }
  if (Object.hasOwn(FALLBACK_POLICIES, id)) {
    throw new RangeError(`${id} is a published policy: a policy of your own needs an id of its own`);
  }
  return {
    id,
    build(input) {
      const result = build(input);
      return result.ok ? { ...result, details: { ...result.details, policy: id } } : result;
    },
  };
}

import type * as z from "zod";
import type { ReportProblem } from "./checkpoint-diagnostic.ts";
import type { JsonObject } from "./json-value.ts";

/** `found` less the named fields that are not what they should be. */
export function withoutBadFields<T extends Record<string, z.ZodType>>(
  found: JsonObject,
  fields: T,
  path: string,
  report: ReportProblem,
): JsonObject & { readonly [K in keyof T]?: z.output<T[K]> } {
  const bad = new Set<string>();
  for (const [field, schema] of Object.entries(fields)) {
    if (found[field] === undefined || schema.safeParse(found[field]).success) continue;
    report("bad_field", `${field} is not what it should be: dropped`, path + field);
    bad.add(field);
  }
  const kept = bad.size === 0 ? found : Object.fromEntries(Object.entries(found).filter(([field]) => !bad.has(field)));
  return kept as JsonObject & { readonly [K in keyof T]?: z.output<T[K]> };
}

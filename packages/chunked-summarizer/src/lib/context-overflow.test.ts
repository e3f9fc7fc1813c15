import { expect, test } from "vitest";
import { isContextOverflow, overflowForms } from "./context-overflow.ts";

test.each(overflowForms.map((form) => [form.provider, form] as const))(
  "%s: its own words are recognised",
  (_, form) => {
    const { status, body } = form.example;
    expect(form.pattern.test(body)).toBe(true);
    expect(isContextOverflow(Object.assign(new Error(`${status} ${body}`), { status }))).toBe(true);
    expect(
      isContextOverflow({ name: "APICallError", statusCode: status, message: "Bad Request", responseBody: body }),
    ).toBe(true);
    expect(isContextOverflow(new Error("request failed", { cause: { status, error: JSON.parse(body) } }))).toBe(true);
  },
);

test.each([
  "429 Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 41234.",
  "400 max_tokens is too large: 50000. This model supports at most 16384 completion tokens.",
  "401 Incorrect API key provided.",
  "400 messages.3: tool_use ids were found without tool_result blocks immediately after",
  "529 overloaded_error",
])("%s is another error", (message) => {
  expect(isContextOverflow(new Error(message))).toBe(false);
});

test("whatever was thrown gets an answer", () => {
  const circular: { cause?: unknown } = {};
  circular.cause = circular;
  for (const thrown of [undefined, null, "prompt is too long", 7, [], circular])
    expect(isContextOverflow(thrown)).toBe(false);
  expect(isContextOverflow("prompt is too long: 5 tokens > 4 maximum")).toBe(true);
});

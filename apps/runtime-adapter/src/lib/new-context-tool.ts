/**
 * The tool by which a model asks for a new context window. Hand it to the model; when it is called, answer the call with
 * `NEW_CONTEXT_RESULT` and tell the compactor with `requestNewContext()`. The compaction comes before the next request.
 */
export const newContextTool = {
  name: "new_context",
  description:
    "Start a new context window: what was said so far is replaced by a summary of it. Use it when a piece of work is done and the details of it are no longer needed.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
} as const;

/** What to answer a call of `new_context` with. */
export const NEW_CONTEXT_RESULT = "A new context window will begin with your next turn.";

export { type AnthropicMessage, shape } from "./lib/anthropic-shape.ts";

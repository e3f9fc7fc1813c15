export { type ChatMessage, shape } from "./lib/openai-shape.ts";

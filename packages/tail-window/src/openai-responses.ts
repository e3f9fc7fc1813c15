export { type ResponseItem, shape } from "./lib/openai-responses-shape.ts";

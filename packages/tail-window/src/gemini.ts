export { type GeminiContent, shape } from "./lib/gemini-shape.ts";

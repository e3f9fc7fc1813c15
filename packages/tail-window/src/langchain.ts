export { type LangChainMessage, shape } from "./lib/langchain-shape.ts";

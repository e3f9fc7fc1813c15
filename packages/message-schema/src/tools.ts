export { type FileTool, knownFileTools, type ToolCallFiles, toolCallFiles } from "./lib/file-tools.ts";

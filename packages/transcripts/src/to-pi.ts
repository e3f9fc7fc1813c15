export {
  type PiAssistantPart,
  type PiContext,
  type PiImage,
  type PiMessage,
  type PiSessionHeader,
  type PiText,
  type PiUsage,
  toPi,
  toPiSession,
} from "./lib/write/pi.ts";

export { type PiMessage, shape } from "./lib/pi-shape.ts";

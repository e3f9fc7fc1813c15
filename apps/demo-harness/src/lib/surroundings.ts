import type { Output } from "./output.ts";

/** What the command finds around it. */
export interface Surroundings {
  readonly output: Output;
  /** The session that the command without arguments replays. */
  readonly samplePath: string;
  /** Its own. */
  readonly version: string;
}

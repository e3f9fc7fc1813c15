import { preset } from "@holdfast/tsup-preset";

export default preset();

export {
  type Calibration,
  calibrateTokens,
  createCalibration,
  observeUsage,
  type UsageObservation,
} from "./lib/calibration.ts";

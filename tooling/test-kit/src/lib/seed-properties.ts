import fc from "fast-check";

// The short run of every change is the same each time; runs by hand (HOLDFAST_RUNS) look further, each somewhere else.
if (process.env.HOLDFAST_RUNS === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_130 });

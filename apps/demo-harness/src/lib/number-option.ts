import { InvalidArgumentError } from "commander";

/** A parser for an option that is a whole number of `least` or more. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`It must be a whole number of ${least} or more.`);
    }
    return value;
  };
}

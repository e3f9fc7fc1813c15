/** The encodings whose tables ship with the package's tokenizer. */
export type Encoding = "o200k_base" | "cl100k_base";

/** Loads the ranks of an encoding on first use; a bundler makes a chunk of each. */
export async function loadEncodedRanks(encoding: Encoding): Promise<string> {
  switch (encoding) {
    case "o200k_base":
      return (await import("tiktoken/encoders/o200k_base")).default.bpe_ranks;
    case "cl100k_base":
      return (await import("tiktoken/encoders/cl100k_base")).default.bpe_ranks;
    default:
      encoding satisfies never;
      throw new TypeError(`encoding must be "o200k_base" or "cl100k_base", got ${JSON.stringify(encoding)}`);
  }
}

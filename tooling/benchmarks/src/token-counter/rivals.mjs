/** @typedef {import("@holdfast/token-counter").Encoding} Encoding */

/**
 * Every way of counting, loaded as its users load it. Special tokens are ordinary text to all.
 *
 * @type {Readonly<Record<string, (encoding: Encoding) => Promise<(text: string) => number>>>}
 */
export const rivals = {
  holdfast: async (encoding) => {
    const { createTokenCounter } = await import("@holdfast/token-counter");
    return (await createTokenCounter({ encoding })).countText;
  },
  tiktoken: async (encoding) => {
    const { get_encoding } = await import("tiktoken");
    const encoder = get_encoding(encoding);
    return (text) => encoder.encode_ordinary(text).length;
  },
  "gpt-tokenizer": async (encoding) => {
    const { countTokens } =
      encoding === "o200k_base"
        ? await import("gpt-tokenizer/encoding/o200k_base")
        : await import("gpt-tokenizer/encoding/cl100k_base");
    const options = { disallowedSpecial: new Set() };
    return (text) => countTokens(text, options);
  },
  "js-tiktoken": async (encoding) => {
    const { getEncoding } = await import("js-tiktoken");
    const encoder = getEncoding(encoding);
    return (text) => encoder.encode(text, [], []).length;
  },
  "characters / 4": async () => (text) => Math.ceil(text.length / 4),
  "holdfast estimate": async () => {
    const { createEstimator } = await import("@holdfast/token-counter/estimate");
    return createEstimator().countText;
  },
};

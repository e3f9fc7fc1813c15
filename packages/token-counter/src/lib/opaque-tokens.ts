import { jsonText } from "./json-text.ts";
import { sealedReasoningTokens } from "./sealed-reasoning.ts";

/**
 * What a picture takes, whatever its size and however long its encoding: the most that the large providers charge for
 * one at their ordinary resolution.
 */
export const IMAGE_TOKENS = 1600;

/** No id, hash or name is so long a string of the base64 alphabets. */
const MIN_ENCODED_UNITS = 1024;
const dataUrlPrefix = /^data:[^,]{0,200};base64,/;
/** Looked for instead of matched: a match of millions of characters overflows the pattern engine's stack. */
const noBase64Character = /[^\w+/=\r\n-]/;

/**
 * The size of a value no schema knows: its JSON text, but for two things that no provider reads as text. Binary data at
 * any depth (a byte array, or a string of at least 1,024 characters that is nothing but base64 or a data URL of it) is
 * a picture. Sealed reasoning (`encrypted_content`, and the `data` of `redacted_thinking`) costs what it holds.
 */
export function opaqueTokens(value: unknown, countText: (text: string) => number): number {
  let dataTokens = 0;
  const text = jsonText(value, {
    replace(found, key, holder) {
      const tokens = tokensOfData(found, key, holder);
      if (tokens === undefined) return found;
      dataTokens += tokens;
      return "";
    },
  });
  return countText(text) + dataTokens;
}

/** Undefined for what is read as text. */
function tokensOfData(value: unknown, key: string, holder: object | undefined): number | undefined {
  if (typeof value === "string") {
    if (isSeal(key, holder)) return sealedReasoningTokens(value);
    return isEncodedData(value) ? IMAGE_TOKENS : undefined;
  }
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? IMAGE_TOKENS : undefined;
}

function isSeal(key: string, holder: object | undefined): boolean {
  if (key === "encrypted_content") return true;
  return key === "data" && holder !== undefined && "type" in holder && holder.type === "redacted_thinking";
}

function isEncodedData(text: string): boolean {
  if (text.length < MIN_ENCODED_UNITS) return false;
  const data = text.slice(dataUrlPrefix.exec(text)?.[0].length ?? 0);
  return data.length >= MIN_ENCODED_UNITS && !noBase64Character.test(data);
}

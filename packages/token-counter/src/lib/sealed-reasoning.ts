/** A wrapping of about 200 bytes, then a token for about 5 bytes. Measured on signed reasoning. */
const SEAL_BYTES = 200;
const SEALED_BYTES_PER_TOKEN = 5;

/**
 * What reasoning takes that is sealed in base64 (a signature, encrypted content, redacted thinking). The seal is not
 * text to the model, but it holds the reasoning: where the text beside it is blank or a summary, the provider still
 * charges for what is sealed in it.
 */
export function sealedReasoningTokens(seal: string): number {
  const bytes = (seal.length * 3) / 4 - SEAL_BYTES;
  return Math.max(0, Math.ceil(bytes / SEALED_BYTES_PER_TOKEN));
}

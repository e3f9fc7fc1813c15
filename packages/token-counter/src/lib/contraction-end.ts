const APOSTROPHE = 0x27;
const LONG_S = 0x17f;

/** Where `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` ends at `at`; `at` itself when there is no contraction. */
export function contractionEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== APOSTROPHE) return at;
  const first = text.charCodeAt(at + 1);
  // The one letter outside ASCII that equals one of these when case is ignored.
  if (first === LONG_S) return at + 2;
  switch (first | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return at + 2;
    case 0x72: // re
    case 0x76: // ve
      return (text.charCodeAt(at + 2) | 0x20) === 0x65 ? at + 3 : at;
    case 0x6c: // ll
      return (text.charCodeAt(at + 2) | 0x20) === 0x6c ? at + 3 : at;
    default:
      return at;
  }
}

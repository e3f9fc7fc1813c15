import fc from "fast-check";
import { expect, test } from "vitest";
import { readCharacterClasses } from "./character-classes.ts";
import { createPieceEnd } from "./split-pieces.ts";

const runs = 2_000 * Number(process.env.HOLDFAST_RUNS ?? 1);
const classes = readCharacterClasses();

// The encodings' patterns for this engine. Only characters whose class is the same in all Unicode versions are used.
const patterns = {
  o200k_base:
    /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'[sSſtTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'[sSſtTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n/]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu,
  cl100k_base:
    /'[sSſtTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL]|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu,
};

const character = fc.constantFrom(
  ..."aAsSrReElLtTmMdDvVſ'ʰªǅ中\u0301\u0903 \u00a0\u0085\u3000\ufeff\t\r\n/.-_19٣²😀𝐀𐐨",
  "\ud800",
  "\udc00",
);

test.each(["o200k_base", "cl100k_base"] as const)(
  "%s: a text falls into the pieces the pattern matches",
  (encoding) => {
    const pieceEnd = createPieceEnd(encoding, classes);
    fc.assert(
      fc.property(fc.array(character, { maxLength: 24 }), (characters) => {
        const text = characters.join("");
        const pieces: string[] = [];
        for (let start = 0; start < text.length; ) {
          const end = pieceEnd(text, start);
          pieces.push(text.slice(start, end));
          start = end;
        }
        expect(pieces).toEqual(text.match(patterns[encoding]) ?? []);
      }),
      { numRuns: runs },
    );
  },
  1_800_000,
);

import { base64Text, scrambledText } from "./corpora.mjs";

const MB = 1_000_000;
const lowerCase = "abcdefghijklmnopqrstuvwxyz";
const han = Array.from({ length: 5_000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join("");

/**
 * Texts of 1 MB of UTF-8 at which a tokenizer may hang, throw or overflow.
 *
 * @type {Readonly<Record<string, () => string>>}
 */
export const pathologicalTexts = {
  "one letter": () => "a".repeat(MB),
  "one capital": () => "A".repeat(MB),
  "one sign": () => "^".repeat(MB),
  slashes: () => "/".repeat(MB),
  spaces: () => " ".repeat(MB),
  tabs: () => "\t".repeat(MB),
  "line breaks": () => "\n".repeat(MB),
  "spaces and line breaks": () => " \n".repeat(MB / 2),
  "a line break, then spaces": () => `\n${" ".repeat(MB - 1)}`,
  digits: () => "7".repeat(MB),
  "scrambled letters": () => scrambledText(lowerCase, MB),
  "scrambled capitals": () => scrambledText(lowerCase.toUpperCase(), MB),
  "scrambled signs": () => scrambledText("!@#$%^&*()_+-=[]{}|;:,.<>?", MB),
  "scrambled Han": () => scrambledText(han, 333_333),
  "one Han character": () => "中".repeat(333_333),
  base64: () => base64Text(MB),
  marks: () => "\u0301".repeat(MB / 2),
  emoji: () => "😀".repeat(MB / 4),
  "lone surrogates": () => "\ud800".repeat(333_333),
  apostrophes: () => "'s".repeat(MB / 2),
  "control tokens": () => "<|endoftext|>".repeat(MB / 13),
  "minified JSON": () => `[${'{"id":18244,"ok":true,"tags":["a","b"]},'.repeat(25_000)}0]`,
};

/**
 * Those that have breaks enough for direct tiktoken to count all of them.
 *
 * @type {readonly string[]}
 */
export const wholeForTiktoken = ["digits", "base64", "apostrophes", "control tokens", "minified JSON"];

/**
 * What the others are asked, each in a process of its own that is ended after a while.
 *
 * @type {Readonly<Record<string, () => string>>}
 */
export const sharedPathologicalTexts = {
  "10,000 × a": () => "a".repeat(10_000),
  "100,000 × a": () => "a".repeat(100_000),
  "1,000,000 × a": () => "a".repeat(MB),
  "1,000,000 spaces": () => " ".repeat(MB),
  "1 MB scrambled letters": () => scrambledText(lowerCase, MB),
};

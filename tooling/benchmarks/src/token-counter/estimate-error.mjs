// Prints how far the estimator is off the exact counts, as the README's table, on the sample corpus of the package; then,
// where recorded sessions are laid out, on the text of each of them. Reads the built packages.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTokenCounter } from "@holdfast/token-counter";
import { createEstimator } from "@holdfast/token-counter/estimate";
import { readTranscript } from "@holdfast/transcripts";

const corpus = fileURLToPath(new URL("../../../../packages/token-counter/src/lib/fixtures/corpus/", import.meta.url));
const sessions = fileURLToPath(new URL("../../../../../shared/sessions/open/", import.meta.url));
const estimator = createEstimator();
const o200k = await createTokenCounter({ encoding: "o200k_base" });
const cl100k = await createTokenCounter({ encoding: "cl100k_base" });

/**
 * @param {number} value
 * @param {number} exact
 */
function percentOff(value, exact) {
  const percent = (value / exact - 1) * 100;
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(1)} %`;
}

/**
 * @param {string} name
 * @param {string} text
 */
function printRow(name, text) {
  const exact = o200k.countText(text);
  const estimate = estimator.countText(text);
  const cells = [
    name,
    exact,
    percentOff(estimate, exact),
    percentOff(estimate, cl100k.countText(text)),
    percentOff(text.length / 4, exact),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/**
 * What was written for reading: texts and reasoning.
 *
 * @param {import("@holdfast/message-schema").Message} message
 */
function proseOf({ content }) {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" ? part.text : part.type === "thinking" ? part.thinking : ""))
    .join("\n");
}

const heading = "tokens (`o200k_base`) | estimate | against `cl100k_base` | characters / 4";
console.log(`| sample | ${heading} |\n| --- | --- | --- | --- | --- |`);
for (const name of readdirSync(corpus).sort()) {
  printRow(name.replace(".txt", ""), readFileSync(corpus + name, "utf8"));
}

if (existsSync(sessions)) {
  console.log(`\n| recorded session | ${heading} |\n| --- | --- | --- | --- | --- |`);
  for (const name of readdirSync(sessions).sort()) {
    const { conversations } = await readTranscript(sessions + name);
    const texts = conversations.flatMap(({ messages }) => messages.map(proseOf));
    printRow(name, texts.join("\n"));
  }
}

/** @import { Conversation, Pathological, PathologicalCounts, Throughput } from "./measure.mjs" */

/**
 * What this package's counter is held to, against the others in the same run.
 *
 * @param {{
 *   readonly throughput: Readonly<Record<string, Throughput>>,
 *   readonly pathological: Pathological,
 *   readonly counts: PathologicalCounts,
 *   readonly referenceCounts: PathologicalCounts,
 *   readonly conversation: Conversation,
 * }} measured
 * @returns {{ text: string, met: boolean }[]}
 */
export function checkBars({ throughput, pathological, counts, referenceCounts, conversation }) {
  const { holdfast, tiktoken, "gpt-tokenizer": gptTokenizer } = throughput;
  if (!holdfast || !tiktoken || !gptTokenizer) throw new Error("the bars need holdfast, tiktoken and gpt-tokenizer");

  const exact = holdfast.kinds.every(({ kind, tokens }) => tokens === of(tiktoken, kind).tokens);
  const bars = [
    { text: "as many tokens as tiktoken on every kind of text", met: exact },
    {
      text: "as many tokens as tiktoken on the pathological texts",
      met: counts.every(({ tokens }, index) => tokens === referenceCounts[index]?.tokens),
    },
  ];

  for (const kind of ["prose", "typescript", "json", "minified"]) {
    const ours = of(holdfast, kind).first;
    bars.push(
      { text: `${kind}, first pass: at least 2 × direct tiktoken`, met: ours >= 2 * of(tiktoken, kind).first },
      { text: `${kind}, first pass: level with gpt-tokenizer`, met: isLevel(ours, of(gptTokenizer, kind).first) },
    );
  }
  for (const pass of /** @type {const} */ (["first", "best"])) {
    const met = isLevel(of(holdfast, "chinese")[pass], of(gptTokenizer, "chinese")[pass]);
    bars.push({ text: `chinese, ${pass} pass: level with gpt-tokenizer`, met });
  }
  bars.push({
    text: "base64, first pass: at least 0.8 × direct tiktoken",
    met: of(holdfast, "base64").first >= 0.8 * of(tiktoken, "base64").first,
  });

  const slowest = pathological.reduce((worst, next) => (next.ms > worst.ms ? next : worst));
  const times = slowest.ms / (1000 / of(tiktoken, "prose").best);
  bars.push(
    {
      text: `1 MB of anything: 6 × tiktoken's 1 MB of prose (${slowest.kind}: ${times.toFixed(1)} ×)`,
      met: times <= 6,
    },
    { text: "first use: at most 1.3 × direct tiktoken", met: holdfast.firstUseMs <= 1.3 * tiktoken.firstUseMs },
    { text: "memory: no more than direct tiktoken", met: holdfast.rssMB <= tiktoken.rssMB },
  );
  if (conversation) {
    const share = conversation.againMs / conversation.firstMs;
    bars.push({ text: `recount with one more message: under 1 % (${(share * 100).toFixed(2)} %)`, met: share < 0.01 });
  }
  return bars;
}

/**
 * @param {Throughput} throughput
 * @param {string} kind
 */
function of(throughput, kind) {
  const found = throughput.kinds.find((measured) => measured.kind === kind);
  if (!found) throw new Error(`no text of the kind ${kind} was measured`);
  return found;
}

/**
 * Ahead, or behind by no more than two runs of the same differ.
 *
 * @param {number} ours
 * @param {number} theirs
 */
function isLevel(ours, theirs) {
  return ours >= 0.95 * theirs;
}

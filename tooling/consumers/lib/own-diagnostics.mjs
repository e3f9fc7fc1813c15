/**
 * The diagnostics of a compiler run that are about the consumer's own files or about our declarations, each with its
 * indented continuation. What is wrong inside another library's declarations is that library's affair.
 *
 * @param {string} output of `tsc --pretty false`
 * @returns {string[]}
 */
export function ownDiagnostics(output) {
  return output
    .split(/\n(?=\S)/)
    .map((diagnostic) => diagnostic.trimEnd())
    .filter((diagnostic) => diagnostic !== "" && !/^node_modules\/(?!@holdfast\/)/.test(diagnostic));
}

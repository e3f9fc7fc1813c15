/**
 * Prints rows under a heading, the first column to the left and the others to the right.
 *
 * @param {string} heading
 * @param {readonly string[]} columns
 * @param {readonly { readonly name: string, readonly cells: readonly string[] }[]} rows
 */
export function printTable(heading, columns, rows) {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const cellWidth =
    Math.max(
      ...columns.map((column) => column.length),
      ...rows.flatMap(({ cells }) => cells.map((cell) => cell.length)),
    ) + 2;
  /**
   * @param {string} name
   * @param {readonly string[]} cells
   */
  const line = (name, cells) => name.padEnd(nameWidth) + cells.map((cell) => cell.padStart(cellWidth)).join("");
  console.log(`\n${heading}\n${line("", columns)}`);
  for (const { name, cells } of rows) console.log(line(name, cells));
}

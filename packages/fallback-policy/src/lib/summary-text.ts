/** The text of a fallback's summary: what is carried, if anything, then the notice. */
export function summaryText(carried: string, notice: string): string {
  return carried === "" ? notice : `${carried}\n\n${notice}`;
}

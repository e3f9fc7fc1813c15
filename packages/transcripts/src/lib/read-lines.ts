const lineFeed = 0x0a;

/**
 * The lines of a byte stream, without their line feeds, a chunk's worth at a time. Splits on `\n` alone: U+2028, U+2029
 * and U+0085 may stand raw inside JSON strings. A line that spans chunks is joined once, so a line of any length costs
 * its own length.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[], void, void> {
  let unfinished: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      const tail = bytes.subarray(start, end);
      lines.push(unfinished.length === 0 ? tail : Buffer.concat([...unfinished, tail]));
      unfinished = [];
      start = end + 1;
    }
    if (start < bytes.length) unfinished.push(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (unfinished.length > 0) yield [Buffer.concat(unfinished)];
}

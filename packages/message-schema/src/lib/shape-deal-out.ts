/** What a text or a message would take above its shortest form, and what it gets. */
export interface Claim {
  /** 2 for a tool result, which gives way first; 1 for other text; 0 for arguments of calls. */
  readonly rank: number;
  wanted: number;
  given: number;
}

/**
 * Moves what is `left` from `wanted` to `given`: first something to read for each, for the newest where it is not enough
 * for all; then as much as each wants, by rank, and in fair shares among those of one rank: what one leaves goes to the
 * others.
 */
export function dealOut(claims: readonly Claim[], left: number, readable: number): void {
  for (const most of [readable, 0]) {
    for (const rank of [0, 1, 2]) {
      const peers = claims.filter((claim) => claim.rank === rank).reverse();
      if (!most) peers.sort((a, b) => a.wanted - b.wanted);
      peers.forEach((claim, at) => {
        const more = Math.min(claim.wanted, left, most || Math.floor(left / (peers.length - at)));
        claim.given += more;
        claim.wanted -= more;
        left -= more;
      });
    }
  }
}

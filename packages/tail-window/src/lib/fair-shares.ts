/**
 * Shares `room` out among `wants`: nobody gets more than wanted, and what one leaves goes to the others in equal
 * parts. Whole numbers in, whole numbers out; the shares add up to at most `room`.
 */
export function fairShares(room: number, wants: readonly number[]): number[] {
  const shares = wants.map(() => 0);
  const smallestFirst = wants.map((_, index) => index).sort((a, b) => (wants[a] ?? 0) - (wants[b] ?? 0));
  let left = Math.max(0, room);
  smallestFirst.forEach((index, position) => {
    const share = Math.min(wants[index] ?? 0, Math.floor(left / (wants.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

/**
 * Shares `room` out in fair shares: nothing gets more than it wants, and what one leaves goes to the others in equal
 * parts. `give` says how much of its share an item took. Gives back what is left.
 */
export function shareOut<T>(
  items: readonly T[],
  room: number,
  wanted: (item: T) => number,
  give: (item: T, share: number) => number,
): number {
  let left = room;
  [...items]
    .sort((a, b) => wanted(a) - wanted(b))
    .forEach((item, at) => {
      const share = Math.min(wanted(item), Math.floor(left / (items.length - at)));
      if (share > 0) left -= give(item, share);
    });
  return left;
}

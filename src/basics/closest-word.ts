/** Levenshtein distance of two words. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const same = to[column - 1] === letter ? 0 : 1;
      const cheapest = Math.min(row[column] ?? 0, next[column - 1] ?? 0) + 1;
      next.push(Math.min(cheapest, (row[column - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};

const simplified = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The known word closest to a mistyped one, or null when none is close. */
export const closestWord = (word: string, known: readonly string[]): string | null => {
  if (word.length > 60) return null;
  const ranked = known
    .map((candidate) => ({ candidate, changes: distance(simplified(word), simplified(candidate)) }))
    .toSorted((one, other) => one.changes - other.changes);
  const [best] = ranked;
  return best && best.changes <= Math.ceil(best.candidate.length / 3) ? best.candidate : null;
};

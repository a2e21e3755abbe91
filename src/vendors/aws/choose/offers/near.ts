const byNumber = new Intl.Collator('en', { numeric: true });

/** Newest first. */
export const newestFirst = (versions: readonly string[]): string[] =>
  [...new Set(versions)].toSorted((one, other) => byNumber.compare(other, one));

const maxNames = 6;

/** `db.t4g.micro` → `t4g` and `micro`. */
const partsOf = (type: string): { family: string; size: string } => {
  const [size = '', family = ''] = type.split('.').toReversed();
  return { family, size };
};

/** The start that two families have in common, such as `t` of t3 and t4g. */
const likeness = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
};

/** The offered types closest to a type: of the same family, then of the same size in similar families. */
export function nearTypes(wanted: string, offered: readonly string[]): string[] {
  const { family, size } = partsOf(wanted);
  const score = (type: string): number => {
    const parts = partsOf(type);
    return (
      (parts.family === family ? 100 : 10 * likeness(parts.family, family)) + (parts.size === size ? 25 : 0)
    );
  };
  return [...new Set(offered)]
    .toSorted((one, other) => score(other) - score(one) || byNumber.compare(one, other))
    .slice(0, maxNames);
}

export const nearVersions = (versions: readonly string[]): string =>
  newestFirst(versions).slice(0, maxNames).join(', ');

import { resourceSuffix } from '../../model/names.ts';

/**
 * Finds the layer in the name of a resource. `pattern` makes the regular expression of all names of a layer from its flag as
 * it is in names. Longer flags come first: no name of `web` may match a layer `b`.
 */
export function layerFinder(
  flags: readonly string[],
  pattern: (suffix: string) => RegExp,
): (name: string) => string | null {
  const layers = flags
    .map((flag) => ({ flag, suffix: resourceSuffix(flag) }))
    .toSorted((one, other) => other.suffix.length - one.suffix.length)
    .map(({ flag, suffix }) => ({ flag, matches: pattern(suffix) }));
  return (name) => layers.find(({ matches }) => matches.test(name))?.flag ?? null;
}

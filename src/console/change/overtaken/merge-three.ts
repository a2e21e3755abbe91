/** Combines two changes of the same document. */
export interface Merged {
  document: unknown;
  /** Paths that both changed, each in another way. There, the document has my value. */
  conflicts: string[];
}

type Members = Readonly<Record<string, unknown>>;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flagOf = (layer: unknown): string | null =>
  isMembers(layer) && typeof layer['flag'] === 'string' ? layer['flag'] : null;

/** Layers are compared by their flags, so that a new layer of one does not move those of the other. */
function byFlag(list: unknown): Members | null {
  if (!Array.isArray(list)) return null;
  const entries = list.map((layer): [string | null, unknown] => [flagOf(layer), layer]);
  const isNamed =
    entries.every(([flag]) => flag !== null) && new Set(entries.map(([flag]) => flag)).size === list.length;
  return isNamed ? Object.fromEntries(entries) : null;
}

interface Three {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

function mergeMembers(
  { base, mine, theirs }: { base: Members; mine: Members; theirs: Members },
  path: string,
  conflicts: string[],
): Members {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const members = names.map((name): [string, unknown] => {
    const below = path === '' ? name : `${path}/${name}`;
    return [name, merge({ base: base[name], mine: mine[name], theirs: theirs[name] }, below, conflicts)];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function merge({ base, mine, theirs }: Three, path: string, conflicts: string[]): unknown {
  if (same(mine, theirs) || same(base, theirs)) return mine;
  if (same(base, mine)) return theirs;
  if (isMembers(base) && isMembers(mine) && isMembers(theirs))
    return mergeMembers({ base, mine, theirs }, path, conflicts);
  const lists = { base: byFlag(base), mine: byFlag(mine), theirs: byFlag(theirs) };
  if (lists.base && lists.mine && lists.theirs)
    return Object.values(
      mergeMembers({ base: lists.base, mine: lists.mine, theirs: lists.theirs }, path, conflicts),
    );
  conflicts.push(path);
  return mine;
}

/** What both changed since the common version, in one document. */
export function mergeThree(three: Three): Merged {
  const conflicts: string[] = [];
  return { document: merge(three, '', conflicts), conflicts };
}

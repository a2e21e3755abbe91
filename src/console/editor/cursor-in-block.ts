/** What the cursor is about to write. */
export interface CursorPath {
  /** Names above it; `*` stands for an entry of a list. */
  path: readonly string[];
  /** A name, or the value of the last name of the path. */
  kind: 'name' | 'value';
  /** Where the word that is being written begins. */
  from: number;
  /** Names that the object has already. */
  siblings: readonly string[];
}

/** A line of YAML outside braces. */
interface Line {
  /** Columns of the dashes before the name. */
  dashes: readonly number[];
  column: number;
  /** Null: the line has no name. */
  name: string | null;
  /** What is after the colon. */
  value: string | null;
  /** What is written, without a name. */
  word: string;
  isEmpty: boolean;
}

function readLine(text: string): Line {
  const lead = /^(?:\s|-\s|-$)*/.exec(text)?.[0] ?? '';
  const rest = text.slice(lead.length);
  const [, name, value] = /^("[^"]*"|'[^']*'|[^\s#:]+)\s*:(?:\s+(.*))?$/.exec(rest) ?? [];
  return {
    dashes: [...lead.matchAll(/-/g)].map(({ index }) => index),
    column: lead.length,
    name: name?.replaceAll(/^["']|["']$/g, '') ?? null,
    value: value ?? null,
    word: rest,
    isEmpty: rest.startsWith('#') || text.trim() === '',
  };
}

const hasValue = ({ value }: Line): boolean => value !== null && !/^(#.*)?$/.test(value.trim());

/** Names above a line, found by the columns. */
function namesAbove(lines: readonly Line[], current: Line): string[] {
  const names: string[] = [];
  let column = 0;
  let isEntry = false;
  const enter = (line: Line): void => {
    ({ column } = line);
    isEntry = false;
    for (const dash of line.dashes.toReversed()) {
      names.unshift('*');
      column = dash;
      isEntry = true;
    }
  };
  enter(current);
  for (const line of lines.toReversed()) {
    if (line.isEmpty) continue;
    const isBesideEntry = isEntry && line.column === column && line.dashes.length === 0;
    if (!isEntry && line.column === column && line.dashes.length > 0) enter(line);
    else if (line.name !== null && !hasValue(line) && (line.column < column || isBesideEntry)) {
      names.unshift(line.name);
      enter(line);
    }
  }
  return names;
}

/** Names of the same object on these lines, which begin next to the current one. */
function namesBeside(lines: readonly Line[], { column }: Line, dashEnds: 'before' | 'after'): string[] {
  const names: string[] = [];
  for (const line of lines) {
    if (line.isEmpty) continue;
    const isNewEntry = line.dashes.length > 0 && line.column === column;
    if (line.column < column || (isNewEntry && dashEnds === 'before')) break;
    if (line.column === column && line.name !== null) names.push(line.name);
    if (isNewEntry) break;
  }
  return names;
}

/** What the cursor writes in a part of YAML without braces. */
export function inBlock(text: string, at: number): CursorPath | null {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const line = readLine(text.slice(start, at));
  if (line.word.startsWith('#')) return null;
  const above = text.slice(0, start).split('\n').slice(0, -1).map(readLine);
  const path = namesAbove(above, line);
  if (line.name !== null && line.value !== null)
    return { path: [...path, line.name], kind: 'value', from: at - line.value.length, siblings: [] };
  if (line.name !== null || /\s/.test(line.word)) return null;
  const below = text.slice(at).split('\n').slice(1).map(readLine);
  const before = line.dashes.length > 0 ? [] : namesBeside(above.toReversed(), line, 'after');
  const siblings = [...before, ...namesBeside(below, line, 'before')];
  return { path, kind: 'name', from: start + line.column, siblings };
}

/** One opened object or list: the names seen in it, and the name or index it has got to. */
interface Level {
  names: Set<string>;
  place: string | number;
}

// Never tried on a text that is not JSON; the two kinds of character exclude each other, so it is quick.
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Notes a member's name; true when this object has had it already. */
const repeats = (level: Level, name: string): boolean => {
  level.place = name;
  if (level.names.has(name.toLowerCase())) return true;
  level.names.add(name.toLowerCase());
  return false;
};

/**
 * The path of the first member that an object of a valid JSON text names twice, in whatever case, or null.
 * `JSON.parse` would keep one of the two without a word: perhaps the "Allow", where a reader saw the "Deny".
 */
export const findRepeatedMember = (json: string): string | null => {
  const open: Level[] = [];
  let text = '';
  for (const [found] of json.matchAll(token)) {
    const level = open.at(-1);
    if (found === '{' || found === '[') open.push({ names: new Set(), place: found === '[' ? 0 : '' });
    else if (found === '}' || found === ']') open.pop();
    else if (found === ',' && typeof level?.place === 'number') level.place += 1;
    else if (found === ':' && level && repeats(level, String(JSON.parse(text))))
      return open.map(({ place }) => place).join('/');
    else if (found.startsWith('"')) text = found;
  }
  return null;
};

import { JsonTokens } from './text.ts';

/** An open object or list: the names seen in it, and the current name or index. */
interface Level {
  names: Set<string>;
  position: string | number;
}

/** Records a member name; true when this object already has it. */
const isDuplicate = (level: Level, name: string): boolean => {
  level.position = name;
  if (level.names.has(name.toLowerCase())) return true;
  level.names.add(name.toLowerCase());
  return false;
};

/**
 * The path of the first member that an object of a valid JSON text has twice, ignoring case, or null. JSON.parse
 * silently keeps one of the two: perhaps the "Allow", where a reader saw the "Deny".
 */
export const findDuplicateMember = (json: string): string | null => {
  const tokens = new JsonTokens(json);
  const open: Level[] = [];
  let lastString = '';
  while (tokens.next()) {
    const { kind } = tokens;
    const level = open.at(-1);
    if (kind === '{' || kind === '[') open.push({ names: new Set(), position: kind === '[' ? 0 : '' });
    else if (kind === '}' || kind === ']') open.pop();
    else if (kind === ',' && typeof level?.position === 'number') level.position += 1;
    else if (kind === 'string') lastString = tokens.written;
    else if (kind === ':' && level && isDuplicate(level, String(JSON.parse(lastString))))
      return open.map(({ position }) => position).join('/');
  }
  return null;
};

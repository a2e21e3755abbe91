import { type CursorPath, inBlock } from './cursor-in-block.ts';
import type { Format } from './written.ts';

interface Level {
  isList: boolean;
  /** The name whose value this level is. */
  name: string | null;
  siblings: string[];
  /** The name that was read last. */
  pending: string | null;
  afterColon: boolean;
}

const tokens = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[{}[\],:]|[^\s{}[\],:"']+/g;
const plain = (token: string): string => token.replace(/^["']|["']$/g, '');

function openLevel(levels: Level[], isList: boolean): void {
  const above = levels.at(-1);
  const name = above?.isList ? '*' : (above?.pending ?? null);
  levels.push({ isList, name, siblings: [], pending: null, afterColon: false });
}

function readToken(levels: Level[], token: string): void {
  const level = levels.at(-1);
  if (token === '{' || token === '[') return openLevel(levels, token === '[');
  if (token === '}' || token === ']') return void levels.pop();
  if (!level) return;
  if (token === ':') {
    level.afterColon = true;
    level.siblings.push(level.pending ?? '');
  } else if (token === ',') Object.assign(level, { pending: null, afterColon: false });
  else if (!level.afterColon) level.pending = plain(token);
}

/** Names of the same object that are written after the cursor. */
function laterNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth < 0) return names;
    if (token === ':' && depth === 0) names.push(plain(last));
    last = token;
  }
  return names;
}

/** In braces and brackets: JSON, and parts of YAML. `text` begins with the first bracket. */
function inBrackets(text: string, at: number, base: readonly string[]): CursorPath | null {
  const word = /["']?[^\s{}[\],:"']*$/.exec(text.slice(0, at))?.[0] ?? '';
  const from = at - word.length;
  const levels: Level[] = [];
  for (const [token] of text.slice(0, from).matchAll(tokens)) readToken(levels, token);
  const level = levels.at(-1);
  if (!level) return null;
  const path = [...base, ...levels.flatMap(({ name }) => (name === null ? [] : [name]))];
  const value = level.isList ? '*' : level.afterColon ? level.pending : null;
  if (value !== null) return { path: [...path, value], kind: 'value', from, siblings: [] };
  return { path, kind: 'name', from, siblings: [...level.siblings, ...laterNames(text.slice(at))] };
}

/** The outermost bracket before the cursor that is still open. Those of functions, `${…}`, are left out. */
function openBracket(before: string): number | null {
  const closed = before.replaceAll(/\$\{[^}\n]*\}?/g, (match) => ' '.repeat(match.length));
  let depth = 0;
  let open: number | null = null;
  for (const { 0: bracket, index } of [...closed.matchAll(/[{}[\]]/g)].toReversed()) {
    if (bracket === '}' || bracket === ']') depth += 1;
    else if (depth > 0) depth -= 1;
    else open = index;
  }
  return open;
}

/** The place of the schema that the cursor is at; null if nothing can be completed there. */
export function cursorPath(text: string, at: number, format: Format): CursorPath | null {
  if (format === 'json') return inBrackets(text, at, []);
  const open = openBracket(text.slice(0, at));
  if (open === null) return inBlock(text, at);
  const found = inBrackets(text.slice(open), at - open, inBlock(text, open)?.path ?? []);
  return found && { ...found, from: found.from + open };
}

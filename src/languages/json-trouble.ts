/** What is wrong with a JSON text, and where. */
export interface TextTrouble {
  offset: number;
  sentence: string;
}

const space = /[ \t\r\n]*/y;
const token =
  /[{}[\],:]|"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expecting = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

interface Open {
  closing: '}' | ']';
  names: Set<string>;
}

const sentences: Record<Expecting, string> = {
  value: 'a value is expected here',
  'value or ]': 'a value or "]" is expected here',
  name: 'a member name in double quotes is expected here; a comma must not follow the last member',
  'name or }': 'a member name in double quotes or "}" is expected here',
  ':': 'a ":" is expected here',
  ', or end': 'a "," or the closing bracket is expected here',
  nothing: 'nothing more is expected here',
};

/** One step of the grammar: what may come after this token, or null when it may not stand here. */
const step = (text: string, expecting: Expecting, open: Open[]): Expecting | null => {
  const afterValue = (): Expecting => (open.length > 0 ? ', or end' : 'nothing');
  const inside = open.at(-1);
  const wantsValue = expecting === 'value' || expecting === 'value or ]';
  if (text === '}' || text === ']') {
    const mayClose = expecting === ', or end' || expecting.endsWith(text);
    if (!mayClose || inside?.closing !== text) return null;
    open.pop();
    return afterValue();
  }
  if (text === ',') return expecting === ', or end' ? (inside?.closing === '}' ? 'name' : 'value') : null;
  if (text === ':') return expecting === ':' ? 'value' : null;
  if (expecting === 'name' || expecting === 'name or }') return text.startsWith('"') ? ':' : null;
  if (!wantsValue) return null;
  if (text !== '{' && text !== '[') return afterValue();
  open.push({ closing: text === '{' ? '}' : ']', names: new Set() });
  return text === '{' ? 'name or }' : 'value or ]';
};

const isRepeatedName = (text: string, expecting: Expecting, open: readonly Open[]): boolean => {
  const names = open.at(-1)?.names;
  if (!names || !expecting.startsWith('name') || !text.startsWith('"')) return false;
  const name = String(JSON.parse(text));
  if (names.has(name)) return true;
  names.add(name);
  return false;
};

const matchAt = (pattern: RegExp, text: string, offset: number): string => {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? '';
};

/**
 * The first place where a text is not strict JSON, or names a member twice. The engine's own parser does not
 * always say where, and quotes the document (perhaps a secret in it) in its message.
 */
export const findJsonTrouble = (text: string): TextTrouble | null => {
  const open: Open[] = [];
  let expecting: Expecting = 'value';
  let offset = matchAt(space, text, 0).length;
  while (offset < text.length) {
    const found = matchAt(token, text, offset);
    if (isRepeatedName(found, expecting, open)) return { offset, sentence: 'this member is named twice' };
    const next: Expecting | null = found === '' ? null : step(found, expecting, open);
    if (next === null) return { offset, sentence: sentences[expecting] };
    expecting = next;
    offset += found.length;
    offset += matchAt(space, text, offset).length;
  }
  return expecting === 'nothing' ? null : { offset, sentence: 'the text ends too early' };
};

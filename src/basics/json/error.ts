import { type JsonTokenKind, JsonTokens } from './text.ts';

export interface JsonError {
  offset: number;
  /** What is wrong there, as the end of a sentence, without a full stop. */
  message: string;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

interface OpenBracket {
  closing: '}' | ']';
  /** Member names so far; null in a list. */
  names: Set<string> | null;
}

const messages: Record<Expected, string> = {
  value: 'expected a value',
  'value or ]': 'expected a value or "]"',
  name: 'expected a member name in double quotes; a comma after the last member is not allowed',
  'name or }': 'expected a member name in double quotes or "}"',
  ':': 'expected ":"',
  ', or end': 'expected "," or the closing bracket',
  nothing: 'unexpected text after the end of the JSON value',
};

const afterValue = (open: readonly OpenBracket[]): Expected => (open.length > 0 ? ', or end' : 'nothing');

const closeBracket = (kind: '}' | ']', expected: Expected, open: OpenBracket[]): Expected | null => {
  const mayClose = expected === ', or end' || expected.endsWith(kind);
  if (!mayClose || open.at(-1)?.closing !== kind) return null;
  open.pop();
  return afterValue(open);
};

const startValue = (kind: JsonTokenKind, expected: Expected, open: OpenBracket[]): Expected | null => {
  if (expected === 'name' || expected === 'name or }') return kind === 'string' ? ':' : null;
  if (expected !== 'value' && expected !== 'value or ]') return null;
  if (kind !== '{' && kind !== '[') return afterValue(open);
  const isList = kind === '[';
  open.push({ closing: isList ? ']' : '}', names: isList ? null : new Set() });
  return isList ? 'value or ]' : 'name or }';
};

/** One step of the grammar: what may follow this token, or null when the token itself is not allowed. */
const step = (kind: JsonTokenKind, expected: Expected, open: OpenBracket[]): Expected | null => {
  switch (kind) {
    case 'invalid':
    case 'end':
      return null;
    case '}':
    case ']':
      return closeBracket(kind, expected, open);
    case ',':
      if (expected !== ', or end') return null;
      return open.at(-1)?.closing === '}' ? 'name' : 'value';
    case ':':
      return expected === ':' ? 'value' : null;
    case '{':
    case '[':
    case 'string':
    case 'number':
    case 'literal':
      return startValue(kind, expected, open);
  }
};

const isDuplicateName = (tokens: JsonTokens, expected: Expected, open: readonly OpenBracket[]): boolean => {
  const names = open.at(-1)?.names;
  if (!names || !expected.startsWith('name') || tokens.kind !== 'string') return false;
  const name = String(JSON.parse(tokens.written));
  if (names.has(name)) return true;
  names.add(name);
  return false;
};

/**
 * The first place where a text is not strict JSON or repeats a member name, or null. JSON.parse does not always report
 * the position, and quotes the document (perhaps a secret in it) in its message.
 */
export const findJsonError = (text: string): JsonError | null => {
  const tokens = new JsonTokens(text);
  const open: OpenBracket[] = [];
  let expected: Expected = 'value';
  for (;;) {
    tokens.next();
    const { kind, start: offset } = tokens;
    if (kind === 'end') break;
    if (isDuplicateName(tokens, expected, open)) return { offset, message: 'duplicate member name' };
    const next = step(kind, expected, open);
    if (next === null) return { offset, message: messages[expected] };
    expected = next;
  }
  return expected === 'nothing' ? null : { offset: tokens.start, message: 'unexpected end of text' };
};

type Bracket = '{' | '}' | '[' | ']';

/** `invalid`: no token begins here. `end`: the text ends here. */
export type JsonTokenKind = Bracket | ',' | ':' | 'string' | 'number' | 'literal' | 'invalid' | 'end';

const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const literals = ['true', 'false', 'null'] as const;

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

// Loops over character codes: one regular expression per token takes five times as long, and V8 overflows its
// backtracking stack on strings of many megabytes.
const skipWhitespace = (text: string, offset: number): number => {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
};

const skipDigits = (text: string, offset: number): number => {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (!(code >= 0x30 && code <= 0x39)) return at;
    at += 1;
  }
};

/** The end of the escape sequence at this backslash; -1 when it is not valid. */
const endOfEscape = (text: string, start: number): number => {
  escapeSequence.lastIndex = start;
  return escapeSequence.test(text) ? escapeSequence.lastIndex : -1;
};

/** The end of the string that starts at this quote; -1 when it is not a valid JSON string. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < firstPrintable) return -1;
    at = code === backslash ? endOfEscape(text, at) : at + 1;
    if (at === -1) return -1;
  }
  return -1;
};

/** The end of the digits that must follow an optional mark such as `.` or `e-`; `offset` itself when they do not. */
const endOfPart = (text: string, offset: number, markLength: number): number => {
  const digits = offset + markLength;
  const end = skipDigits(text, digits);
  return end === digits ? offset : end;
};

/** The end of the longest number that starts here; -1 when there is none. */
const endOfNumber = (text: string, start: number): number => {
  const first = text[start] === '-' ? start + 1 : start;
  let end = text[first] === '0' ? first + 1 : skipDigits(text, first);
  if (end === first) return -1;
  if (text[end] === '.') end = endOfPart(text, end, 1);
  if (text[end] !== 'e' && text[end] !== 'E') return end;
  const isSigned = text[end + 1] === '+' || text[end + 1] === '-';
  return endOfPart(text, end, isSigned ? 2 : 1);
};

const endOfLiteral = (text: string, start: number): number => {
  const found = literals.find((literal) => text.startsWith(literal, start));
  return found ? start + found.length : -1;
};

/** Reads a JSON text token by token without building values. Checks tokens only, not the grammar. */
export class JsonTokens {
  readonly text: string;
  kind: JsonTokenKind = 'end';
  /** Offsets of the current token: the first character, and the one after the last. */
  start = 0;
  end = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next token. False at the end of the text and where no token begins; see `kind`. */
  next(): boolean {
    this.start = skipWhitespace(this.text, this.end);
    this.kind = this.#readToken();
    return this.kind !== 'end' && this.kind !== 'invalid';
  }

  /** The current token as written. */
  get written(): string {
    return this.text.slice(this.start, this.end);
  }

  #readToken(): JsonTokenKind {
    const { text, start } = this;
    const first = text[start];
    switch (first) {
      case undefined:
        return 'end';
      case '{':
      case '}':
      case '[':
      case ']':
      case ',':
      case ':':
        return this.#take(first, start + 1);
      case '"':
        return this.#take('string', endOfString(text, start));
      case 't':
      case 'f':
      case 'n':
        return this.#take('literal', endOfLiteral(text, start));
      default:
        return this.#take('number', endOfNumber(text, start));
    }
  }

  #take(kind: JsonTokenKind, end: number): JsonTokenKind {
    if (end === -1) return 'invalid';
    this.end = end;
    return kind;
  }
}

const opens = (kind: JsonTokenKind): boolean => kind === '{' || kind === '[';
const closes = (kind: JsonTokenKind): boolean => kind === '}' || kind === ']';

export interface JsonLimits {
  depth: number;
  /** Members of objects and entries of lists, together. */
  values: number;
}

/**
 * The limit that a text exceeds, or null. Reads the text only and stops at the limit, so nothing large or deep is ever
 * built. An empty bracket may count as one value more than it has.
 */
export const exceededLimit = (text: string, limits: JsonLimits): keyof JsonLimits | null => {
  const tokens = new JsonTokens(text);
  let depth = 0;
  let values = 0;
  while (tokens.next()) {
    const { kind } = tokens;
    if (closes(kind)) depth -= 1;
    else if (opens(kind)) depth += 1;
    if (opens(kind) || kind === ',') values += 1;
    if (depth > limits.depth) return 'depth';
    if (values > limits.values) return 'values';
  }
  return null;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A line break follows a comma and an opening bracket, and precedes a closing one; empty brackets stay together. */
const breaksBetween = (before: JsonTokenKind, kind: JsonTokenKind): boolean =>
  before === ',' || (closes(kind) ? !opens(before) : opens(before));

/**
 * The same JSON with different white space. Works on the text, not on values, so that members keep their order and
 * numbers their digits. A text that is not JSON is returned unchanged.
 */
export const reindentJson = (text: string, indent: number): string => {
  if (!isJson(text)) return text;
  const newLine = (depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`);
  const tokens = new JsonTokens(text);
  let depth = 0;
  let before: JsonTokenKind = 'end';
  let result = '';
  while (tokens.next()) {
    const { kind } = tokens;
    if (closes(kind)) depth -= 1;
    if (breaksBetween(before, kind)) result += newLine(depth);
    result += kind === ':' && indent > 0 ? ': ' : tokens.written;
    if (opens(kind)) depth += 1;
    before = kind;
  }
  return result;
};

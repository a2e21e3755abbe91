/** Where a text stops being JSON, counted from 1, and what should stand there. */
export interface JsonMistake {
  line: number;
  column: number;
  wanted: string;
}

const space = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex -- they must not stand in a text of JSON
const string = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;

class Mistake extends Error {
  readonly position: number;

  constructor(position: number, wanted: string) {
    super(wanted);
    this.position = position;
  }
}

/** Reads JSON only to find where it is wrong: the parser of the language does not always say. */
class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): void {
    this.#value();
    this.#take(space);
    if (this.#position < this.#text.length) throw new Mistake(this.#position, 'the end');
  }

  #take(form: RegExp): boolean {
    form.lastIndex = this.#position;
    if (!form.test(this.#text)) return false;
    this.#position = form.lastIndex;
    return true;
  }

  #takeSign(sign: string): boolean {
    this.#take(space);
    if (this.#text[this.#position] !== sign) return false;
    this.#position += 1;
    return true;
  }

  #value(): void {
    if (this.#takeSign('{')) return this.#list('}', () => this.#member());
    if (this.#takeSign('[')) return this.#list(']', () => this.#value());
    if (!this.#take(string) && !this.#take(plain)) throw new Mistake(this.#position, 'a value');
  }

  #member(): void {
    this.#take(space);
    if (!this.#take(string)) throw new Mistake(this.#position, 'a name in double quotes');
    if (!this.#takeSign(':')) throw new Mistake(this.#position, '":"');
    this.#value();
  }

  #list(end: string, one: () => void): void {
    if (this.#takeSign(end)) return;
    do one();
    while (this.#takeSign(','));
    if (!this.#takeSign(end)) throw new Mistake(this.#position, `"," or "${end}"`);
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Null when it is JSON. */
export function findJsonMistake(text: string): JsonMistake | null {
  if (isJson(text)) return null;
  try {
    new Reader(text).readAll();
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const before = text.slice(0, error.position).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, wanted: error.message };
  }
  return { line: 1, column: 1, wanted: 'JSON' };
}

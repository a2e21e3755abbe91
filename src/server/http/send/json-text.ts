import { hash } from 'node:crypto';

/** A body that is JSON already. Texts of parts that stay the same are made once. */
export class JsonText<T> {
  readonly #make: () => string;
  readonly #tagged: () => string;
  #text: string | null = null;
  #bytes: Buffer | null = null;
  #tag: string | null = null;
  /** Only the type: what the text says. */
  declare readonly says?: T;

  /** `tagged`: something shorter that differs whenever the text does. */
  constructor(text: string | (() => string), tagged: () => string = () => this.text) {
    this.#make = typeof text === 'string' ? () => text : text;
    this.#tagged = tagged;
  }

  get text(): string {
    this.#text ??= this.#make();
    return this.#text;
  }

  /** The text as it is sent. It is kept, too: sending a text would encode it for each caller. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }

  /** Differs if the text differs. */
  get tag(): string {
    this.#tag ??= hash('sha256', this.#tagged(), 'base64url').slice(0, 27);
    return this.#tag;
  }
}

type Texts<T> = readonly JsonText<T>[];

const listText = <T>(items: Texts<T>): JsonText<T[]> =>
  new JsonText(
    () => `[${items.map(({ text }) => text).join(',')}]`,
    () => `[${items.map(({ tag }) => tag).join(',')}]`,
  );

/** The last list that began with an item. It ends with that item, so what is kept is bounded like the items are. */
const lists = new WeakMap<JsonText<unknown>, { items: Texts<unknown>; list: JsonText<unknown[]> }>();
/** Longer lists are rare, and large. */
const maxKept = 200;

const areSame = (some: Texts<unknown>, others: Texts<unknown>): boolean =>
  some.length === others.length && some.every((item, index) => item === others[index]);

/** A list of the same items as before is the same list. */
export function jsonList<T>(items: Texts<T>): JsonText<T[]> {
  const [first] = items;
  if (first === undefined || items.length > maxKept) return listText(items);
  const known = lists.get(first);
  if (known && areSame(known.items, items)) return known.list as JsonText<T[]>;
  const list = listText(items);
  lists.set(first, { items, list });
  return list;
}

/** What did not change is the same object, and so keeps its text. */
export const keptTexts = <Value extends object, T>(present: (value: Value) => T) => {
  const texts = new WeakMap<Value, JsonText<T>>();
  return (value: Value): JsonText<T> => {
    const known = texts.get(value);
    if (known) return known;
    const text = new JsonText<T>(JSON.stringify(present(value)));
    texts.set(value, text);
    return text;
  };
};

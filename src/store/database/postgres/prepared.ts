/** Each connection keeps the plans of its named statements, a few kilobytes each. */
const maxNames = 250;
/** Texts that are counted: those with lists of parameters have many forms. */
const maxTexts = 2000;
const usesBeforeName = 3;

/** Names for texts that come again and again: PostgreSQL parses and plans such a statement once for each connection. */
export class StatementNames {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** Undefined: the text has not come often enough, or there are too many. */
  nameOf(text: string): string | undefined {
    return this.#names.get(text) ?? this.#count(text);
  }

  #count(text: string): string | undefined {
    if (this.#names.size >= maxNames) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < usesBeforeName) {
      if (this.#uses.size >= maxTexts) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    const name = `almanac_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Another server may have changed the tables since the statement was planned. */
export const isOutdated = (error: unknown): boolean => {
  // Not the message: PostgreSQL translates it.
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
};

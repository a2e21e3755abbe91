/** What a key means for the question: go on, the answer is complete, there will be none, or leave. */
export type Outcome = 'more' | 'done' | 'end' | 'interrupt';

/** The keys of a terminal in raw mode, where nobody else takes care of corrections. */
export class TypedSecret {
  /** By whole characters, so that a correction takes one away. */
  #signs: string[] = [];
  /** Arrow keys and the marks around a pasted text come as several characters, and none of them was meant. */
  #inside: 'text' | 'escape' | 'sequence' = 'text';

  get text(): string {
    return this.#signs.join('');
  }

  press(key: string): Outcome {
    if (this.#inside === 'text' || key < ' ') {
      this.#inside = 'text';
      return this.#plain(key);
    }
    if (this.#inside === 'escape') this.#inside = key === '[' || key === 'O' ? 'sequence' : 'text';
    else if (key >= '@' && key <= '~') this.#inside = 'text';
    return 'more';
  }

  #plain(key: string): Outcome {
    switch (key) {
      case '\r':
      case '\n':
        return 'done';
      case '\u0003':
        return 'interrupt';
      case '\u0004':
        return this.#signs.length === 0 ? 'end' : 'more';
      case '\u007F':
      case '\b':
        this.#signs.pop();
        return 'more';
      case '\u0015':
        this.#signs = [];
        return 'more';
      case '\u001B':
        this.#inside = 'escape';
        return 'more';
      default:
        // Other control characters are slips of the finger.
        if (key >= ' ' || key === '\t') this.#signs.push(key);
        return 'more';
    }
  }
}

/** Effect of a key: the answer continues, is complete, is missing (end of input), or the user interrupts. */
type Outcome = 'more' | 'done' | 'end' | 'interrupt';

/** Line editor for a terminal in raw mode, where the terminal itself handles no corrections. */
export class TypedSecret {
  /** Complete characters, so that backspace removes one. */
  #characters: string[] = [];
  /** Escape sequences (arrow keys, paste markers) are several characters long and are ignored. */
  #state: 'text' | 'escape' | 'sequence' = 'text';

  get text(): string {
    return this.#characters.join('');
  }

  press(key: string): Outcome {
    if (this.#state === 'text' || key < ' ') {
      this.#state = 'text';
      return this.#pressPlain(key);
    }
    if (this.#state === 'escape') this.#state = key === '[' || key === 'O' ? 'sequence' : 'text';
    else if (key >= '@' && key <= '~') this.#state = 'text';
    return 'more';
  }

  #pressPlain(key: string): Outcome {
    switch (key) {
      case '\r':
      case '\n':
        return 'done';
      case '\u0003':
        return 'interrupt';
      case '\u0004':
        return this.#characters.length === 0 ? 'end' : 'more';
      case '\u007F':
      case '\b':
        this.#characters.pop();
        return 'more';
      case '\u0015':
        this.#characters = [];
        return 'more';
      case '\u001B':
        this.#state = 'escape';
        return 'more';
      default:
        // Ignore other control characters.
        if (key >= ' ' || key === '\t') this.#characters.push(key);
        return 'more';
    }
  }
}

/** Per-key mutex. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key) ?? Promise.resolve();
    const result = previous.then(work);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#last.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}

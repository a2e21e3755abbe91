/**
 * Codec of a column that holds JSON as text, named like `stacks.view`. Only this program writes these columns, so the type
 * is trusted; text that is not JSON means a damaged database.
 */
export class JsonColumn<T> {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  parse(text: string, rowId: string): T {
    try {
      return JSON.parse(text) as T;
    } catch {
      // Without the cause: its message quotes the text, which may contain secrets.
      throw new Error(`The database is damaged: ${this.#name} of ${rowId} is not valid JSON.`);
    }
  }

  format(value: T): string {
    return JSON.stringify(value);
  }
}

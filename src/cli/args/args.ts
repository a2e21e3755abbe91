import type { Flag } from './flag.ts';

export type Value = string | number | boolean | readonly string[];

/** What was written on the command line, by the flags' names. A name that is not in the table is our mistake. */
export class Args {
  readonly #flags: ReadonlyMap<string, Flag>;
  readonly #values: ReadonlyMap<string, Value>;

  constructor(flags: readonly Flag[], values: ReadonlyMap<string, Value>) {
    this.#flags = new Map(flags.map((flag) => [flag.name, flag]));
    this.#values = values;
  }

  /** Whether the user wrote it; a default is not written. */
  has(name: string): boolean {
    this.#declared(name);
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** One the parser has made sure of. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new Error(`--${name} is not required in the table, but in the code`);
    return value;
  }

  number(name: string): number | undefined {
    const value = this.#value(name);
    return typeof value === 'number' ? value : undefined;
  }

  is(name: string): boolean {
    return this.#value(name) === true;
  }

  list(name: string): readonly string[] {
    const value = this.#value(name);
    return Array.isArray(value) ? value : [];
  }

  #value(name: string): Value | undefined {
    return this.#values.get(name) ?? this.#declared(name).default;
  }

  #declared(name: string): Flag {
    const flag = this.#flags.get(name);
    if (!flag) throw new Error(`There is no flag --${name} in the table`);
    return flag;
  }
}

import type { Flag } from './flag.ts';

export type Value = string | number | boolean | readonly string[];

/** Flag values of a command line by flag name. Reading a flag that is not declared is a bug in alm. */
export class Args {
  readonly #flags: ReadonlyMap<string, Flag>;
  readonly #values: ReadonlyMap<string, Value>;

  constructor(flags: readonly Flag[], values: ReadonlyMap<string, Value>) {
    this.#flags = new Map(flags.map((flag) => [flag.name, flag]));
    this.#values = values;
  }

  /** The same command line with other values. */
  with(values: Readonly<Record<string, Value>>): Args {
    return new Args([...this.#flags.values()], new Map([...this.#values, ...Object.entries(values)]));
  }

  /** Whether the flag is on the command line; a default does not count. */
  has(name: string): boolean {
    this.#declared(name);
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** Value of a flag declared as required; `checkRules` has verified that it is present. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new Error(`--${name} is read as required but not declared as required`);
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
    if (!flag) throw new Error(`Flag --${name} is not declared`);
    return flag;
  }
}

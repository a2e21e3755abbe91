import type { Compilable, CompiledQuery } from 'kysely';
import type { Query } from '../database.ts';

/** Stands for a value while the text is built. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

interface Prebuilt<P, R> {
  all(query: Query, values: P): Promise<R[]>;
  first(query: Query, values: P): Promise<R | undefined>;
  /** The number of rows that were changed. */
  change(query: Query, values: P): Promise<number>;
}

/**
 * A query whose text is built once for each engine: building one takes longer than running it. The values it is built with are
 * properties of `P`, which stand where a value of a column may stand.
 */
export function prebuilt<P extends object, R = unknown>(
  build: (query: Query, values: P) => Compilable<R>,
): Prebuilt<P, R> {
  const built = new WeakMap<object, CompiledQuery<R>>();
  const placeholders = new Proxy({} as P, { get: (_, name) => new Placeholder(name) });
  const compiledFor = (query: Query): CompiledQuery<R> => {
    const engine = query.getExecutor().adapter.constructor;
    const known = built.get(engine);
    if (known) return known;
    const compiled = build(query, placeholders).compile();
    built.set(engine, compiled);
    return compiled;
  };
  const run = (query: Query, values: P) => {
    const compiled = compiledFor(query);
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof P] : value,
    );
    return query.executeQuery<R>({ ...compiled, parameters });
  };
  return {
    all: async (query, values) => (await run(query, values)).rows,
    first: async (query, values) => (await run(query, values)).rows[0],
    change: async (query, values) => Number((await run(query, values)).numAffectedRows ?? 0n),
  };
}

import type { Compilable } from 'kysely';
import type { Query } from '../database.ts';
import { padded } from './binary-parts.ts';
import { prebuilt } from './prebuilt.ts';

type Item = string | number;

type Listed<P> = P & Record<`item ${number}`, Item>;

/**
 * Like `prebuilt`, for a query with a list of values: one text for each power of two. A list is filled up with empty texts, which
 * must match nothing.
 */
export function prebuiltList<P extends object, R, I extends Item = string>(
  build: (query: Query, values: P, list: readonly I[]) => Compilable<R>,
) {
  const bySize = new Map<number, ReturnType<typeof prebuilt<Listed<P>, R>>>();
  const ofSize = (size: number) => {
    const known = bySize.get(size);
    if (known) return known;
    const names = Array.from({ length: size }, (_, index) => `item ${index}` as const);
    const built = prebuilt((query: Query, values: Listed<P>) =>
      build(
        query,
        values,
        names.map((name) => values[name] as I),
      ),
    );
    bySize.set(size, built);
    return built;
  };
  return {
    all(query: Query, values: P, list: readonly I[]): Promise<R[]> {
      const items = padded<Item>(list, '').map((item, index) => [`item ${index}`, item]);
      return ofSize(items.length).all(query, { ...values, ...Object.fromEntries(items) } as Listed<P>);
    },
  };
}

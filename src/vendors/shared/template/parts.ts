import type { Problem } from '../../../basics/problem.ts';

type NamedResource = readonly [id: string, resource: unknown];

/** The resources made from one part of the model. */
export interface Part<Entry extends NamedResource> {
  path: string;
  entries: readonly Entry[];
}

/** A prefix and a name can together equal another prefix with another name. */
export function nameClashes(parts: readonly Part<NamedResource>[]): Problem[] {
  const seen = new Set<string>();
  return parts.flatMap(({ path, entries }) =>
    entries.flatMap(([name]) => {
      const isTaken = seen.has(name);
      seen.add(name);
      return isTaken
        ? [{ path, message: `The name produces a second resource ${name}. Choose another name.` }]
        : [];
    }),
  );
}

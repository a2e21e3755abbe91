export type Members = Readonly<Record<string, unknown>>;

/** Instances as a list, or by layer. */
export type Instances = readonly Members[] | Readonly<Record<string, readonly Members[]>>;

/** Reads a nested member as text; empty if it is absent. */
export function read(from: unknown, ...path: string[]): string {
  let value = from;
  for (const name of path)
    value = typeof value === 'object' && value !== null ? (value as Members)[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Instances as a list. Older API clients get them by layer. */
export const instancesOf = ({ instances }: { instances: Instances }): readonly Members[] =>
  Array.isArray(instances)
    ? instances
    : Object.entries(instances).flatMap(([flag, layer]) =>
        layer.map((instance: Members) => Object.assign({ flag }, instance)),
      );

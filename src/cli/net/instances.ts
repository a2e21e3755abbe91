export type Members = Readonly<Record<string, unknown>>;

/** As a list, or by layer. */
export type Instances = readonly Members[] | Readonly<Record<string, readonly Members[]>>;

/** A member deep inside as a text; empty when it is not there. */
export function read(from: unknown, ...path: string[]): string {
  let found = from;
  for (const name of path)
    found = typeof found === 'object' && found !== null ? (found as Members)[name] : undefined;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** API clients of the older kind get the instances by layer. */
export const instancesOf = ({ instances }: { instances: Instances }): readonly Members[] =>
  Array.isArray(instances)
    ? instances
    : Object.entries(instances).flatMap(([flag, some]) =>
        some.map((each: Members) => Object.assign({ flag }, each)),
      );

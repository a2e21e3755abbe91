/** The resources on which one depends, sorted: those it names, explicitly or in a value. Other names are parameters. */
export const dependenciesAmong = (
  resources: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string[] => [...new Set(names)].filter((name) => Object.hasOwn(resources, name)).toSorted();

/** Resources that depend on each other in a circle, in order; undefined: there are none. */
export function findCycle<Resource>(
  resources: Readonly<Record<string, Resource>>,
  dependenciesOf: (resource: Resource) => readonly string[],
): string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    const resource = resources[name];
    if (!resource || done.has(name)) return undefined;
    for (const other of dependenciesOf(resource)) {
      const cycle = visit(other, [...above, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of Object.keys(resources)) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
  return undefined;
}

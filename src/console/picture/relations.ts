import type { Resource } from './resource.ts';

/** Who talks to whom, as far as the dependencies tell. */
export interface Relations {
  serves(balancer: string, flag: string): boolean;
  /** Databases and caches that a layer uses. */
  dataOf(flag: string): readonly string[];
}

const plain = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

/** Everything a resource needs, through resources that are neither servers nor data. */
function needsOf(resources: readonly Resource[]): (resource: Resource) => Set<string> {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  return (resource) => {
    const seen = new Set<string>();
    const open = [...resource.depends_on];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      const next = byName.get(name);
      if (next && (next.kind === 'other' || next.kind === 'group')) open.push(...next.depends_on);
    }
    return seen;
  };
}

export function relationsOf(resources: readonly Resource[]): Relations {
  const needs = needsOf(resources);
  const served = new Map<string, Set<string>>();
  const serve = (balancer: string, flag: string | null): void => {
    if (flag) served.set(balancer, (served.get(balancer) ?? new Set()).add(flag));
  };
  const balancers = resources.filter(({ kind }) => kind === 'balancer');
  for (const { name, layer } of balancers) serve(name, layer);
  for (const resource of resources.filter(({ kind }) => kind === 'server' || kind === 'group')) {
    const all = needs(resource);
    for (const { name } of balancers) if (all.has(name)) serve(name, resource.layer);
  }
  const flagOf = new Map(resources.map(({ name, layer }) => [name, layer]));
  const data = resources.filter(({ kind }) => kind === 'database' || kind === 'cache');
  const users = new Map(
    data.map((each) => {
      const guards = each.depends_on.flatMap((name) => resources.find((other) => other.name === name) ?? []);
      // The security group of a database lets in those of the layers that use it.
      const flags = guards.flatMap(({ depends_on }) => depends_on.flatMap((name) => flagOf.get(name) ?? []));
      return [each.name, new Set(flags)] as const;
    }),
  );
  const namedAfter = (name: string, flag: string): boolean =>
    users.get(name)?.size === 0 && plain(name).endsWith(plain(flag));
  return {
    serves: (balancer, flag) => served.get(balancer)?.has(flag) ?? false,
    dataOf: (flag) =>
      data.flatMap(({ name }) => (users.get(name)?.has(flag) || namedAfter(name, flag) ? [name] : [])),
  };
}

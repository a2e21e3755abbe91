import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { DeclaredResource } from '../../../vendors/resources.ts';
import { keyOf, type MemberKind } from './members.ts';

/** The resources of a model at a vendor; none if the vendor does not accept the model. */
type ListResources = (model: StackModel) => readonly DeclaredResource[];

/** Waits until the next compilation may begin. Fails if nobody waits for the report. */
export type TakeTurn = () => Promise<void>;

interface Compiling {
  list: ListResources;
  takeTurn: TakeTurn;
}

/** How many resources of each type a member becomes, by the key of its row. */
export type Becomes = ReadonlyMap<string, ReadonlyMap<string, number>>;

const inLayers = (model: StackModel, plain: Partial<Layer>): StackModel => ({
  ...model,
  layers: model.layers.map((layer) => ({ ...layer, ...plain })),
});

/** Models without one kind of member. The resources that are missing then are what the member becomes. */
const without: readonly [
  kind: MemberKind,
  has: (model: StackModel) => boolean,
  strip: (model: StackModel) => StackModel,
][] = [
  [
    'load_balancer',
    ({ layers }) => layers.some(({ loadBalancer }) => loadBalancer),
    (model) => inLayers(model, { loadBalancer: null }),
  ],
  [
    'key_pair',
    ({ layers }) => layers.some(({ keyPair }) => keyPair),
    (model) => inLayers(model, { keyPair: false }),
  ],
  [
    'container',
    ({ layers }) => layers.some(({ container }) => container),
    (model) => inLayers(model, { container: null }),
  ],
  ['database', ({ databases }) => databases.length > 0, (model) => ({ ...model, databases: [] })],
  ['cache', ({ caches }) => caches.length > 0, (model) => ({ ...model, caches: [] })],
];

const byKind: Readonly<Partial<Record<DeclaredResource['kind'], MemberKind>>> = {
  balancer: 'load_balancer',
  container: 'container',
  database: 'database',
  cache: 'cache',
};

const isRule = ({ type }: DeclaredResource): boolean => /SecurityGroup|Acl/.test(type);

const kindOf = (resource: DeclaredResource, missing: ReadonlyMap<string, MemberKind>): MemberKind => {
  const known = missing.get(resource.name) ?? byKind[resource.kind];
  if (known) return known;
  if (resource.kind !== 'network') return 'servers';
  return isRule(resource) ? 'rules' : 'subnet';
};

/** The resources that a document lacks. One that only has another name is not missing. */
function missingIn(left: readonly DeclaredResource[], all: readonly DeclaredResource[]): DeclaredResource[] {
  const names = new Set(all.map(({ name }) => name));
  const leftNames = new Set(left.map(({ name }) => name));
  const renamed = left.filter(({ name }) => !names.has(name));
  return all.filter(({ name, type, layer }) => {
    if (leftNames.has(name)) return false;
    const twin = renamed.findIndex((other) => other.type === type && other.layer === layer);
    if (twin >= 0) renamed.splice(twin, 1);
    return twin < 0;
  });
}

async function missingWithout(
  model: StackModel,
  all: readonly DeclaredResource[],
  { list, takeTurn }: Compiling,
): Promise<ReadonlyMap<string, MemberKind>> {
  const missing = new Map<string, MemberKind>();
  for (const [kind, has, strip] of without) {
    if (!has(model)) continue;
    // All of them together would delay other requests.
    await takeTurn();
    const left = list(strip(model));
    if (left.length === 0) continue;
    for (const { name } of missingIn(left, all)) if (!missing.has(name)) missing.set(name, kind);
  }
  return missing;
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The one whose name ends last in the name of the resource; the longest of several. */
function ownerOf(resource: string, names: readonly string[]): number {
  const text = letters(resource);
  const ends = names.map((name) => {
    const found = text.lastIndexOf(letters(name));
    return found < 0 ? -1 : (found + letters(name).length) * 1000 + name.length;
  });
  return ends.indexOf(Math.max(0, ...ends));
}

function countTypes(resources: readonly [row: string, type: string][]): Becomes {
  const rows = new Map<string, Map<string, number>>();
  for (const [row, type] of resources) {
    const types = rows.get(row) ?? new Map<string, number>();
    rows.set(row, types.set(type, (types.get(type) ?? 0) + 1));
  }
  return rows;
}

/** What the members of a model become. */
export async function becomesOf(model: StackModel, compiling: Compiling): Promise<Becomes> {
  await compiling.takeTurn();
  const resources = compiling.list(model);
  const missing = await missingWithout(model, resources, compiling);
  const flags = new Set(model.layers.map(({ flag }) => flag));
  const names = {
    database: model.databases.map(({ name }) => name),
    cache: model.caches.map(({ name }) => name),
  };
  const rowOf = (resource: DeclaredResource): string => {
    const kind = kindOf(resource, missing);
    if (kind === 'database' || kind === 'cache') {
      const index = ownerOf(resource.name, names[kind]);
      return index < 0 ? keyOf('network') : keyOf(kind, names[kind][index]);
    }
    return resource.layer === null || !flags.has(resource.layer)
      ? keyOf('network')
      : keyOf(kind, resource.layer);
  };
  return countTypes(resources.map((resource) => [rowOf(resource), resource.type]));
}

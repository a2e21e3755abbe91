import { type Edge, extent, gap, margin, type Node, nodeSize, type Picture } from './place.ts';
import { type Resource, worstOf } from './resource.ts';

/** Above this, resources of one type and layer are one node. */
export const groupAbove = 300;
/** Above this, a list says more than a picture. */
export const listAbove = 2000;

type Unplaced = Omit<Node, 'x' | 'y'> & { dependsOn: readonly string[] };

const single = ({ name, type, status, kind, depends_on }: Resource): Unplaced => ({
  ...nodeSize,
  id: name,
  title: name,
  about: type,
  status,
  resource: name,
  kind,
  dependsOn: depends_on,
});

/** One node per type and layer. */
function grouped(resources: readonly Resource[]): Unplaced[] {
  const keyOf = ({ type, layer }: Resource): string => `${type} ${layer ?? ''}`;
  const groupOf = new Map(resources.map((resource) => [resource.name, keyOf(resource)]));
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    const members = groups.get(keyOf(resource));
    if (members) members.push(resource);
    else groups.set(keyOf(resource), [resource]);
  }
  const { width, height } = nodeSize;
  return [...groups].map(([id, members]) => ({
    width,
    height,
    id,
    title: `${members[0]?.type.split('::').at(-1) ?? ''} × ${members.length}`,
    about: members[0]?.layer ?? 'whole stack',
    status: worstOf(members.map(({ status }) => status)),
    resource: members.length === 1 ? (members[0]?.name ?? null) : null,
    kind: members[0]?.kind ?? 'other',
    dependsOn: [
      ...new Set(members.flatMap(({ depends_on }) => depends_on.map((name) => groupOf.get(name) ?? ''))),
    ].filter((other) => other !== '' && other !== id),
  }));
}

/** The longest way from a node without dependencies. A cycle, which grouping can make, counts once. */
function depths(nodes: readonly Unplaced[]): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depth = new Map<string, number>();
  const visit = (id: string): number => {
    const known = depth.get(id);
    if (known !== undefined) return known;
    depth.set(id, 0);
    const below = (byId.get(id)?.dependsOn ?? []).filter((other) => byId.has(other)).map(visit);
    const own = below.length === 0 ? 0 : Math.max(...below) + 1;
    depth.set(id, own);
    return own;
  };
  for (const { id } of nodes) visit(id);
  return depth;
}

/** Orders each column by the places of its dependencies, so that few lines cross. */
function ordered(columns: readonly (readonly Unplaced[])[]): Unplaced[][] {
  const place = new Map<string, number>();
  return columns.map((column) => {
    const wanted = (node: Unplaced): number => {
      const places = node.dependsOn.flatMap((id) => place.get(id) ?? []);
      return places.length === 0 ? 0 : places.reduce((sum, each) => sum + each, 0) / places.length;
    };
    const sorted = column.map((node) => ({ node, key: wanted(node) })).toSorted((a, b) => a.key - b.key);
    for (const [index, { node }] of sorted.entries()) place.set(node.id, index);
    return sorted.map(({ node }) => node);
  });
}

/** All resources, each to the right of what it depends on. */
export function layered(resources: readonly Resource[]): Picture {
  const unplaced = resources.length > groupAbove ? grouped(resources) : resources.map(single);
  const depth = depths(unplaced);
  const last = Math.max(0, ...depth.values());
  const columns = Array.from({ length: last + 1 }, (_, column) =>
    unplaced.filter(({ id }) => depth.get(id) === column),
  );
  const nodes = ordered(columns).flatMap((column, x) =>
    column.map(({ id, title, about, status, resource, kind, width, height }, y) => ({
      id,
      title,
      about,
      status,
      resource,
      kind,
      width,
      height,
      x: margin + x * (width + gap.x),
      y: margin + y * (height + gap.y),
    })),
  );
  const known = new Set(unplaced.map(({ id }) => id));
  const edges: Edge[] = unplaced.flatMap(({ id, dependsOn }) =>
    dependsOn.filter((other) => known.has(other)).map((other) => ({ from: other, to: id })),
  );
  return { ...extent(nodes), frames: [], nodes, edges };
}

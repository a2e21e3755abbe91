import {
  averageMiddle,
  type Box,
  bottomOf,
  type Edge,
  extent,
  type Frame,
  gap,
  margin,
  type Node,
  nodeSize,
  type Picture,
  settle,
} from './place.ts';
import { type Relations, relationsOf } from './relations.ts';
import { type Application, type Resource, worstOf } from './resource.ts';

/** What is known of a server beyond its resource. */
export interface Server {
  id: string;
  layer: string;
  /** Such as "t2.small · 10.0.0.4". */
  about: string;
  isPublic: boolean;
  /** Null: it has no container, or has not reported. */
  application: Application | null;
}

export interface LanesInput {
  resources: readonly Resource[];
  /** The servers that the vendor reports; servers of a group have no resource each. */
  servers: readonly Server[];
  /** Words about a resource once it is ready, by its name. */
  about: Readonly<Record<string, string>>;
  /** From top to bottom instead of left to right, for a narrow screen. */
  narrow: boolean;
}

type Unplaced = Omit<Node, 'x' | 'y'>;

const internetSize = 52;
const frameHead = 32;
const inFrame = 12;
/** Servers of a layer below each other; more stand in further columns. */
const rowsOfLayer = 6;

const internet: Unplaced = {
  id: 'internet',
  title: 'Internet',
  about: '',
  status: 'complete',
  resource: null,
  kind: 'internet',
  width: internetSize,
  height: internetSize,
};

const nodeOf = (resource: Resource, about: string, more: Partial<Unplaced> = {}): Unplaced => ({
  ...nodeSize,
  id: resource.name,
  title: resource.name,
  about,
  status: resource.status,
  resource: resource.name,
  kind: resource.kind,
  ...more,
});

const countWords = (count: number, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);

/** A database or cache with the nodes that belong to it. */
function dataNodes({ resources, about }: LanesInput): Unplaced[] {
  const data = resources.filter(({ kind }) => kind === 'database' || kind === 'cache');
  const names = new Set(data.map(({ name }) => name));
  const isPart = ({ depends_on }: Resource): boolean => depends_on.some((other) => names.has(other));
  return data
    .filter((resource) => !isPart(resource))
    .map((resource) => {
      const parts = data.filter(({ depends_on }) => depends_on.includes(resource.name));
      const word = resource.kind === 'cache' ? 'node' : 'replica';
      const size = parts.length > 0 ? ` · ${countWords(parts.length, word)}` : '';
      const words = `${about[resource.name] ?? resource.type.split('::').at(-1)}${size}`;
      const status = worstOf([resource, ...parts].map((each) => each.status));
      return nodeOf(resource, words, { status });
    });
}

interface Layer {
  flag: string;
  nodes: Unplaced[];
}

function machineNode(resource: Resource, servers: readonly Server[]): Unplaced {
  const server = servers.find(({ id }) => id === resource.physical_id);
  const kind = resource.type.split('::').at(-1) ?? resource.type;
  return nodeOf(resource, server?.about ?? kind, { application: server?.application ?? null });
}

/** The servers of each layer: as resources, or as what the vendor reports for its group. */
function layersOf({ resources, servers }: LanesInput): Layer[] {
  const flags = [...new Set(resources.flatMap(({ layer }) => layer ?? []))];
  return flags.map((flag) => {
    const own = resources.filter(({ layer }) => layer === flag);
    const machines = own.filter(({ kind }) => kind === 'server');
    if (machines.length > 0) return { flag, nodes: machines.map((each) => machineNode(each, servers)) };
    const group = own.find(({ kind }) => kind === 'group');
    if (!group) return { flag, nodes: [] };
    const members = servers.filter(({ layer }) => layer === flag);
    if (members.length === 0) return { flag, nodes: [nodeOf(group, 'no servers yet')] };
    return {
      flag,
      nodes: members.map(({ id, about, application }) =>
        nodeOf(group, about, { id: `server ${id}`, title: id, application }),
      ),
    };
  });
}

interface PlacedLayer {
  flag: string;
  frame: Frame;
  nodes: Node[];
}

/** A frame with its servers in columns. */
function placeLayer({ flag, nodes }: Layer, { x, y }: Pick<Box, 'x' | 'y'>, rows: number): PlacedLayer {
  const columns = Math.max(1, Math.ceil(nodes.length / rows));
  const used = Math.min(rows, Math.max(1, nodes.length));
  const placed = nodes.map((node, index) => ({
    ...node,
    x: x + inFrame + Math.floor(index / rows) * (nodeSize.width + gap.y),
    y: y + frameHead + (index % rows) * (nodeSize.height + gap.y),
  }));
  const frame = {
    id: `layer ${flag}`,
    label: `Layer ${flag}`,
    x,
    y,
    width: 2 * inFrame + columns * nodeSize.width + (columns - 1) * gap.y,
    height: frameHead + used * nodeSize.height + (used - 1) * gap.y + inFrame,
  };
  return { flag, frame, nodes: placed };
}

interface Lanes {
  balancers: Unplaced[];
  layers: Layer[];
  data: Unplaced[];
  relations: Relations;
  hasInternet: boolean;
}

function edgesOf({ balancers, layers, data, relations }: Lanes, { servers }: LanesInput): Edge[] {
  const drawn = new Set(data.map(({ id }) => id));
  const edges: Edge[] = balancers.map(({ id }) => ({ from: 'internet', to: id }));
  for (const { flag, nodes } of layers) {
    const served = balancers.filter(({ id }) => relations.serves(id, flag));
    for (const { id } of nodes) {
      for (const balancer of served) edges.push({ from: balancer.id, to: id });
      for (const name of relations.dataOf(flag)) if (drawn.has(name)) edges.push({ from: id, to: name });
    }
    const isOpen = served.length === 0 && servers.some(({ layer, isPublic }) => layer === flag && isPublic);
    if (isOpen) for (const { id } of nodes) edges.push({ from: 'internet', to: id });
  }
  return edges;
}

/** Left to right: Internet, balancers, layers, data. */
function across(all: Lanes, edges: readonly Edge[]): Omit<Picture, 'width' | 'height' | 'edges'> {
  const balancerX = margin + (all.hasInternet ? internetSize + gap.x : 0);
  const layerX = balancerX + (all.balancers.length > 0 ? nodeSize.width + gap.x : 0);
  let free = margin;
  const layers = all.layers.map((layer) => {
    const placed = placeLayer(layer, { x: layerX, y: free }, rowsOfLayer);
    free = bottomOf(placed.frame) + gap.y;
    return placed;
  });
  const servers = layers.flatMap(({ nodes }) => nodes);
  const dataX = Math.max(layerX, ...layers.map(({ frame }) => frame.x + frame.width + gap.x));
  const centre = averageMiddle(
    layers.map(({ frame }) => frame),
    margin + nodeSize.height,
  );
  const column = (nodes: readonly Unplaced[], x: number, side: 'from' | 'to'): Node[] => {
    const other = side === 'from' ? 'to' : 'from';
    const goal = ({ id }: { id: string }): number => {
      const ends = new Set(edges.filter((edge) => edge[side] === id).map((edge) => edge[other]));
      return averageMiddle(
        servers.filter((server) => ends.has(server.id)),
        centre,
      );
    };
    return settle(
      nodes.map((node) => ({ ...node, x, y: 0 })).toSorted((a, b) => goal(a) - goal(b)),
      goal,
      margin,
    );
  };
  const balancers = column(all.balancers, balancerX, 'from');
  const data = column(all.data, dataX, 'to');
  const middle = averageMiddle(balancers, centre);
  const world = all.hasInternet
    ? [{ ...internet, x: margin, y: Math.max(margin, middle - internetSize / 2) }]
    : [];
  return { frames: layers.map(({ frame }) => frame), nodes: [...world, ...balancers, ...servers, ...data] };
}

/** Top to bottom, in one column. */
function down(all: Lanes): Omit<Picture, 'width' | 'height' | 'edges'> {
  const x = margin + inFrame;
  let free = margin;
  const put = (node: Unplaced): Node => {
    const placed = { ...node, x: x + (nodeSize.width - node.width) / 2, y: free };
    free = bottomOf(placed) + gap.y + 8;
    return placed;
  };
  const top = [...(all.hasInternet ? [internet] : []), ...all.balancers].map(put);
  const layers = all.layers.map((layer) => {
    const placed = placeLayer(layer, { x: margin, y: free }, Math.max(1, layer.nodes.length));
    free = bottomOf(placed.frame) + gap.y + 8;
    return placed;
  });
  const servers = layers.flatMap(({ nodes }) => nodes);
  return { frames: layers.map(({ frame }) => frame), nodes: [...top, ...servers, ...all.data.map(put)] };
}

/** The layers of a stack in lanes, so that the same template always looks the same. */
export function lanes(input: LanesInput): Picture {
  const { resources } = input;
  const balancers = resources
    .filter(({ kind }) => kind === 'balancer')
    .map((each) => nodeOf(each, input.about[each.name] ?? each.type.split('::').at(-1) ?? each.type));
  const found = {
    balancers,
    layers: layersOf(input),
    data: dataNodes(input),
    relations: relationsOf(resources),
  };
  const edges = edgesOf({ ...found, hasInternet: true }, input);
  const all: Lanes = { ...found, hasInternet: edges.some(({ from }) => from === 'internet') };
  const placed = input.narrow ? down(all) : across(all, edges);
  return { ...placed, edges, ...extent([...placed.nodes, ...placed.frames]) };
}

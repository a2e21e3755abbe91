import { at, type Problem } from '../../../basics/problem.ts';
import type { Capacity, Database, Layer, StackModel } from '../../../model/stack-model.ts';

/** What a member of a layer is without what a cloud refuses. Members that are missing here cannot be left out. */
const plainMembers: Readonly<Record<string, Partial<Layer>>> = {
  zone: { zone: null },
  instanceType: { instanceType: null },
  machineImage: { machineImage: null },
  volume: { volume: { type: null, sizeGib: null } },
  keyPair: { keyPair: false },
  networkAcl: { networkAcl: [] },
  securityGroup: { securityGroup: { ingress: [], egress: [] } },
  loadBalancer: { loadBalancer: null },
  container: { container: null },
};

const plainGroup: Readonly<Record<string, object>> = {
  zones: { zones: [] },
  spotPercent: { spotPercent: 0 },
  scaling: { scaling: null },
};

const plainDatabase: Readonly<Record<string, Partial<Database>>> = {
  instanceType: { instanceType: null },
  engineVersion: { engineVersion: null },
  multiZone: { multiZone: false },
  replicas: { replicas: 0 },
  deletionProtection: { deletionProtection: false },
};

const oneServer: Capacity = { kind: 'fixed', count: 1 };

function plainCapacity(capacity: Capacity, member = ''): Capacity {
  const plain = capacity.kind === 'group' ? plainGroup[member] : undefined;
  return plain ? { ...capacity, ...plain } : oneServer;
}

const plainLayer = (layer: Layer, [member = '', below]: readonly string[]): Layer =>
  member === 'capacity'
    ? { ...layer, capacity: plainCapacity(layer.capacity, below) }
    : { ...layer, ...plainMembers[member] };

/** A database without its details; undefined: it has to be left out as a whole. */
const plainerDatabase = (database: Database, [member = '']: readonly string[]): Database | undefined =>
  plainDatabase[member] && { ...database, ...plainDatabase[member] };

/**
 * The model without the members that a cloud refused, so that the cloud can say what becomes of the others. Left as it is
 * where a member cannot be left out.
 */
export function leaveOut(model: StackModel, problems: readonly Problem[]): StackModel {
  const layers = [...model.layers];
  const databases: (Database | undefined)[] = [...model.databases];
  const caches: (StackModel['caches'][number] | undefined)[] = [...model.caches];
  let { tags } = model;
  for (const { path } of problems) {
    const [part, position, ...members] = path.split('/');
    // A path without a position is about the list as a whole.
    const index = position ? Number(position) : -1;
    const [layer, database] = [layers[index], databases[index]];
    if (part === 'layers' && layer) layers[index] = plainLayer(layer, members);
    if (part === 'databases' && database) databases[index] = plainerDatabase(database, members);
    if (part === 'caches' && caches[index]) caches[index] = undefined;
    if (part === 'tags') tags = {};
  }
  return {
    ...model,
    layers,
    databases: databases.filter((each) => each !== undefined),
    caches: caches.filter((each) => each !== undefined),
    ...(tags ? { tags } : {}),
  };
}

/** Turns paths of a model from which something was left out into paths of the model before. */
export const pathBefore =
  (model: StackModel, left: StackModel) =>
  (path: string): string => {
    const [part, index = '', ...members] = path.split('/');
    if ((part !== 'databases' && part !== 'caches') || index === '') return path;
    const name = left[part][Number(index)]?.name;
    const position = model[part].findIndex((each) => each.name === name);
    return at(part, Math.max(position, 0), ...members);
  };

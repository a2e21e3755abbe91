import type { Cache, Container, Database, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { compile } from '../../../src/vendors/docker/compile.ts';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { sampleGroup, sampleModel } from '../sample-model.ts';

export function compiled(model: StackModel): DockerDocument {
  const outcome = compile(model);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

/** The paths of the problems. */
export function refusedPaths(model: StackModel): string[] {
  const outcome = compile(model);
  return outcome.ok ? [] : outcome.problems.map(({ path }) => path);
}

export const database = (changes: Partial<Database> = {}): Database => ({
  name: 'main',
  engine: 'postgresql',
  engineVersion: null,
  instanceType: null,
  storageGib: 5,
  replicas: 1,
  multiZone: false,
  ...changes,
});

export const cache = (changes: Partial<Cache> = {}): Cache => ({
  name: 'sessions',
  engine: 'redis',
  nodeType: 'cache.t2.micro',
  nodes: 2,
  ...changes,
});

/** A container with persistent files: of its server, or shared by all that name the same id. */
export const storing = (kind: 'local' | 'efs', id: string | null = null): Container => ({
  image: 'app',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [],
  environment: {},
  users: [],
  addons: [],
  storage: { kind, id, mountPath: '/data' },
});

/** A balanced group, with further layers, databases and caches. */
export const balanced = (min: number, layer: Partial<Layer> = {}, more: Partial<StackModel> = {}) =>
  compiled(sampleModel({ layers: [{ ...sampleGroup(min, 0), ...layer }], ...more }));

export const everything = (min: number, layer: Partial<Layer> = {}) =>
  balanced(min, layer, { databases: [database()], caches: [cache()] });

/** A balanced group of up to 10 instances that holds a CPU use of 60 %. */
export function scalingGroup(min: number, spotPercent = 0): Layer {
  const layer = sampleGroup(min, spotPercent);
  if (layer.capacity.kind !== 'group') throw new Error('Expected a group.');
  return { ...layer, capacity: { ...layer.capacity, scaling: { metric: 'cpu', target: 60 } } };
}

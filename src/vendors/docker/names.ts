import { resourceSuffix } from '../../model/names.ts';

/** Every name and label on the engine is formed and read here. */

/** A flag or name as it stands inside other names. */
export const bareName = (name: string): string => resourceSuffix(name).toLowerCase();

export const slotName = (flag: string, index: number): string => `${bareName(flag)}-${index}`;
export const spotSlotName = (flag: string, index: number): string => `${bareName(flag)}-spot-${index}`;
export const balancerName = (flag: string): string => `balancer-${bareName(flag)}`;
/** Replicas and further nodes count from 1; the first has no number. */
const numbered = (stem: string, index: number): string => (index === 0 ? stem : `${stem}-${index}`);
export const databaseName = (name: string, index: number): string =>
  numbered(`database-${bareName(name)}`, index);
/** What a PostgreSQL primary keeps for a replica goes by this name; the image forms it in the same way. */
export const replicaSlot = (name: string): string => name.replaceAll(/[^a-z0-9]/g, '_');
export const cacheName = (name: string, index: number): string => numbered(`cache-${bareName(name)}`, index);
export const filesName = (name: string): string => `files-${bareName(name)}`;

/** What everything of a stack is called, and its network. */
export const stackName = (stackId: string): string => `alm-${stackId}`;
export const onEngine = (stackId: string, name: string): string => `${stackName(stackId)}-${name}`;
export const markerName = (stackId: string, sequence: number): string =>
  onEngine(stackId, `stack-${sequence}`);

/** The first of many candidates that nobody has. */
const firstFree = (taken: readonly string[], candidate: (index: number) => string): string =>
  Array.from({ length: taken.length + 1 }, (_, index) => candidate(index)).find(
    (name) => !taken.includes(name),
  ) ?? '';

/** An old container and the one that takes its place stand side by side for a while. */
export const serviceContainerName = (stackId: string, name: string, taken: readonly string[]): string =>
  firstFree(taken, (index) => onEngine(stackId, index === 0 ? name : `${name}.${index + 1}`));

/** An instance's number is its container's, not its slot's. What it is at stands behind it, where anybody can see it. */
export const instanceContainerName = (stackId: string, flag: string, taken: readonly string[]): string =>
  startingName(
    firstFree(taken.map(instanceStem), (index) => onEngine(stackId, `${bareName(flag)}-${index}`)),
  );

const phase = /\.(starting|leaving-(\d+))$/;

/** Its name once it serves. */
export const instanceStem = (name: string): string => name.replace(phase, '');
const startingName = (stem: string): string => `${stem}.starting`;
export const leavingName = (name: string, now: number): string =>
  `${instanceStem(name)}.leaving-${Math.floor(now / 1000)}`;

export type Phase = { kind: 'starting' | 'serving' } | { kind: 'leaving'; since: number };

/** Labels never change on a container, but its name does: so what an instance is at can be told from the engine alone. */
export function phaseOf(name: string): Phase {
  const [, word, seconds] = phase.exec(name) ?? [];
  if (seconds !== undefined) return { kind: 'leaving', since: Number(seconds) * 1000 };
  return { kind: word === 'starting' ? 'starting' : 'serving' };
}

/** How engines and people call a container; also what an instance is called everywhere. */
export const shortId = (id: string): string => id.slice(0, 12);

export const labels = {
  stack: 'almanac.stack',
  kind: 'almanac.kind',
  part: 'almanac.part',
  hash: 'almanac.hash',
  flag: 'almanac.flag',
  spot: 'almanac.spot',
  type: 'almanac.type',
  agent: 'almanac.agent',
  version: 'almanac.version',
  /** On what an agent makes: the instance it is on. */
  instance: 'almanac.instance',
  sequence: 'almanac.sequence',
  doing: 'almanac.doing',
  document: 'almanac.document',
  seed: 'almanac.seed',
  /** On images that are started with the machine's own programs. */
  hostPrograms: 'almanac.host-usr',
} as const;

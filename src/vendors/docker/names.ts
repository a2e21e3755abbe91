import { resourceSuffix } from '../../model/names.ts';

/** Formats and parses every name and label on the engine. */

/** A flag or name in the form used inside other names. */
export const bareName = (name: string): string => resourceSuffix(name).toLowerCase();

export const slotName = (flag: string, index: number): string => `${bareName(flag)}-${index}`;
export const spotSlotName = (flag: string, index: number): string => `${bareName(flag)}-spot-${index}`;
export const balancerName = (flag: string): string => `balancer-${bareName(flag)}`;
/** The first has no number; replicas and further nodes count from 1. */
const numbered = (stem: string, index: number): string => (index === 0 ? stem : `${stem}-${index}`);
export const databaseName = (name: string, index: number): string =>
  numbered(`database-${bareName(name)}`, index);
/** The replication slot of a PostgreSQL replica. The image's entry script forms the same name. */
export const replicaSlot = (name: string): string => name.replaceAll(/[^a-z0-9]/g, '_');
export const cacheName = (name: string, index: number): string => numbered(`cache-${bareName(name)}`, index);
export const filesName = (name: string): string => `files-${bareName(name)}`;
/** The persistent files of one server: named by its slot, so that its replacement finds them. */
export const storageName = (slot: string): string => `storage-${slot}`;

/** The prefix of every name of a stack, and the name of its network. */
export const stackName = (stackId: string): string => `alm-${stackId}`;
export const onEngine = (stackId: string, name: string): string => `${stackName(stackId)}-${name}`;
export const markerName = (stackId: string, sequence: number): string =>
  onEngine(stackId, `stack-${sequence}`);

/** The container that records that a volume is kept. */
export const keepRecordName = (volume: string): string => `${volume}.kept`;

/** The container that fills a volume with the data of a kept one. */
export const copyName = (volume: string): string => `${volume}.copy`;

/** The first candidate that is not taken. */
const firstFree = (taken: readonly string[], candidate: (index: number) => string): string =>
  Array.from({ length: taken.length + 1 }, (_, index) => candidate(index)).find(
    (name) => !taken.includes(name),
  ) ?? '';

/** Numbered when the name is taken: an old container exists next to its replacement for a while. */
export const serviceContainerName = (stackId: string, name: string, taken: readonly string[]): string =>
  firstFree(taken, (index) => onEngine(stackId, index === 0 ? name : `${name}.${index + 1}`));

/** Numbers containers, not slots. The phase is a suffix, visible to operators. */
export const instanceContainerName = (stackId: string, flag: string, taken: readonly string[]): string =>
  startingName(
    firstFree(taken.map(instanceStem), (index) => onEngine(stackId, `${bareName(flag)}-${index}`)),
  );

const phase = /\.(starting|leaving-(\d+))$/;

/** The name without the phase: its name while it serves. */
export const instanceStem = (name: string): string => name.replace(phase, '');
const startingName = (stem: string): string => `${stem}.starting`;
export const leavingName = (name: string, now: number): string =>
  `${instanceStem(name)}.leaving-${Math.floor(now / 1000)}`;

export type Phase = { kind: 'starting' | 'serving' } | { kind: 'leaving'; since: number };

/** The phase is part of the name because labels of a container cannot change. */
export function phaseOf(name: string): Phase {
  const [, suffix, seconds] = phase.exec(name) ?? [];
  if (seconds !== undefined) return { kind: 'leaving', since: Number(seconds) * 1000 };
  return { kind: suffix === 'starting' ? 'starting' : 'serving' };
}

/** The short form of a container id. Also the id of an instance. */
export const shortId = (id: string): string => id.slice(0, 12);

export const labels = {
  stack: 'almanac.stack',
  kind: 'almanac.kind',
  part: 'almanac.part',
  hash: 'almanac.hash',
  flag: 'almanac.flag',
  /** On an instance: whether it is a member of a group. */
  group: 'almanac.group',
  spot: 'almanac.spot',
  type: 'almanac.type',
  agent: 'almanac.agent',
  version: 'almanac.version',
  /** On objects made by an agent: its instance. */
  instance: 'almanac.instance',
  sequence: 'almanac.sequence',
  doing: 'almanac.doing',
  document: 'almanac.document',
  /** On a marker: the sizes of groups that load decided. */
  sizes: 'almanac.sizes',
  /** On a marker: the stores that may hold data. */
  usable: 'almanac.usable',
  seed: 'almanac.seed',
  account: 'almanac.account',
  engine: 'almanac.engine',
  role: 'almanac.role',
  /**
   * On a container: the name of the volume with its data, or of the one that it records or fills. On a server outside groups: the
   * volume for its persistent files, whether it has some now or not. The agent reads it.
   */
  volume: 'almanac.volume',
  /** On a volume: random, so that a new volume is never taken for an old one of the same name. */
  id: 'almanac.id',
  /** On a volume: the kept volume that it is a copy of. */
  restoredFrom: 'almanac.restored-from',
  /** On a record: from when until when the volume is kept. */
  keptAt: 'almanac.kept-at',
  keptUntil: 'almanac.kept-until',
  /** On images that use the machine's own programs. */
  hostPrograms: 'almanac.host-usr',
} as const;

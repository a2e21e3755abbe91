import { createHash } from 'node:crypto';
import { spotShare } from '../shared/capacity.ts';

/** A stack on an engine, as plain data. Recorded on the engine in a marker's label. */
export interface DockerDocument {
  region: string;
  /** The stack's own volumes. Volumes made by agents are removed with their instance. */
  volumes: string[];
  fleets: Fleet[];
  balancers: Balancer[];
  services: Service[];
  outputs: DocumentOutput[];
  /** Volumes that begin with the data of kept ones instead of empty: the names of those on the engine. */
  restored?: Readonly<Record<string, string>>;
}

/** The instances of one layer. */
export interface Fleet {
  flag: string;
  /** A restart replaces members of a group, and reboots other servers. */
  inGroup: boolean;
  instanceType: string;
  keyPair: boolean;
  /** A volume mounted in all of them. */
  files: { volume: string; mountPath: string } | null;
  /** Hash of everything whose change requires a new container. */
  hash: string;
  /** Of the smallest size. */
  slots: Slot[];
  /** Absent: only a new version changes the size. */
  scaling?: Scaling;
}

/** How load changes the size of a group. */
export interface Scaling {
  max: number;
  /** The CPU use per instance to hold, in percent of one processor. */
  targetPercent: number;
  cooldownSeconds: number;
  spotPercent: number;
  /** The slots that larger sizes add. */
  reserve: Slot[];
}

/** A place in a fleet. It stays when its container is replaced. */
export interface Slot {
  name: string;
  spot: boolean;
  zone: string;
  /** Its persistent files. */
  volume?: string;
}

export interface Balancer {
  name: string;
  flag: string;
  /** The flag of the fleet it balances. */
  fleet: string;
  listeners: Listener[];
  check: HealthCheck;
  hash: string;
}

export interface Listener {
  port: number;
  mode: 'http' | 'tcp';
  instancePort: number;
}

export interface HealthCheck {
  port: number;
  /** Null: a TCP connection is enough. */
  path: string | null;
  intervalSeconds: number;
  timeoutSeconds: number;
  healthyThreshold: number;
  unhealthyThreshold: number;
}

/** A database or a cache node. */
export interface Service {
  /** Also its DNS name in the network. */
  name: string;
  kind: 'database' | 'cache';
  engine: 'mysql' | 'postgresql' | 'redis' | 'memcached';
  role: 'primary' | 'replica';
  /** The name of a replica's primary. */
  primary: string | null;
  /** Number within its database or cache, from 1. */
  number: number;
  volume: string | null;
  port: number;
  type: string;
  storageGib: number;
  zone: string;
  hash: string;
}

export interface DocumentOutput {
  key: string;
  description: string;
  /** The parts whose values, joined by commas, form the output. */
  of: string[];
  value: 'address' | 'port';
}

export const emptyDocument: DockerDocument = {
  region: '',
  volumes: [],
  fleets: [],
  balancers: [],
  services: [],
  outputs: [],
};

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** The slots of a group of the given size. A slot keeps its name and place in every size that has it. */
export function slotsAt({ slots, scaling }: Fleet, size: number): Slot[] {
  if (!scaling || size <= slots.length) return slots;
  const all = [...slots, ...scaling.reserve];
  const spotCount = spotShare(size, scaling.spotPercent);
  return [
    ...all.filter(({ spot }) => !spot).slice(0, size - spotCount),
    ...all.filter(({ spot }) => spot).slice(0, spotCount),
  ];
}

interface Member {
  fleet: Fleet;
  slot: Slot;
}

export const memberAt = ({ fleets }: DockerDocument, part: string): Member | undefined =>
  fleets
    .flatMap((fleet) => fleet.slots.map((slot) => ({ fleet, slot })))
    .find(({ slot }) => slot.name === part);

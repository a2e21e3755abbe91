import { createHash } from 'node:crypto';

/** What a model becomes on an engine, as plain data. Stands on the engine itself, beside what was made from it. */
export interface DockerDocument {
  region: string;
  /** Those that live as long as the stack wants them. Agents make others, which go with their instance. */
  volumes: string[];
  fleets: Fleet[];
  balancers: Balancer[];
  services: Service[];
  outputs: DocumentOutput[];
}

/** The instances of one layer. */
export interface Fleet {
  flag: string;
  /** Members of a group are replaced where others are rebooted. */
  inGroup: boolean;
  instanceType: string;
  keyPair: boolean;
  /** A volume that all of them have. */
  files: { volume: string; mountPath: string } | null;
  /** Of everything that takes a new container when it changes. */
  hash: string;
  slots: Slot[];
}

/** A place in a fleet. What stands in it comes and goes, the place stays. */
export interface Slot {
  name: string;
  spot: boolean;
  zone: string;
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
  /** Null: being able to connect is enough. */
  path: string | null;
  intervalSeconds: number;
  timeoutSeconds: number;
  healthyThreshold: number;
  unhealthyThreshold: number;
}

/** A database or a node of a cache. */
export interface Service {
  /** Also the name the others in the network find it by. */
  name: string;
  kind: 'database' | 'cache';
  engine: 'mysql' | 'postgresql' | 'redis' | 'memcached';
  role: 'primary' | 'replica';
  /** The name of the one a replica follows. */
  primary: string | null;
  /** From 1, among those of one database or cache. */
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
  /** The parts whose values, joined by commas, are the output's. */
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

interface Member {
  fleet: Fleet;
  slot: Slot;
}

export const memberAt = ({ fleets }: DockerDocument, part: string): Member | undefined =>
  fleets
    .flatMap((fleet) => fleet.slots.map((slot) => ({ fleet, slot })))
    .find(({ slot }) => slot.name === part);

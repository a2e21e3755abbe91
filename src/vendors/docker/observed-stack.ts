import type { DockerDocument } from './document.ts';
import type { KeptVolume } from './keep/record.ts';
import type { Phase } from './names.ts';
import type { Sizes } from './plan/scaling.ts';

/** Everything an engine has of one stack. */
export interface ObservedStack {
  /** Newest first. Older ones remain after an interrupted change. */
  markers: readonly Marker[];
  hasNetwork: boolean;
  volumes: readonly ObservedVolume[];
  containers: readonly StackContainer[];
  /** Includes the names of containers that are being removed. */
  takenNames: readonly string[];
}

/** A container that never runs. Its labels record the desired state of the stack. */
export interface Marker {
  container: string;
  sequence: number;
  version: string;
  doing: 'apply' | 'remove';
  document: DockerDocument;
  sizes: Sizes;
  /** The ids of stores in volumes that may have held data when the marker was written. */
  usable: readonly string[];
}

export interface ObservedVolume {
  name: string;
  /** The id of the store in it. */
  storeId: string;
  /** The instance whose agent made it; empty: it belongs to the stack. */
  instance: string;
  /** The layer of that instance. */
  flag: string;
  /** It holds a copy of other data, such as a replica's. */
  isCopy: boolean;
  /** The kept volume whose data it begins with; empty: none. */
  restoredFrom: string;
  /** Null: it is in use, or about to be. */
  kept: KeptVolume | null;
}

export type Kind = 'instance' | 'balancer' | 'database' | 'cache' | 'app' | 'copy';

export interface StackContainer {
  id: string;
  name: string;
  kind: Kind;
  /** The slot, balancer or service of the document that it runs, or the volume that it fills. */
  part: string;
  hash: string;
  flag: string;
  spot: boolean;
  type: string;
  image: string;
  /** For an instance: a member of a group. */
  inGroup: boolean;
  /** The version that made it. */
  version: string;
  /** The volume with its data, or the one that it fills; empty: none. */
  volume: string;
  /** For containers made by an agent: the agent's instance. */
  instance: string;
  state: 'created' | 'running' | 'restarting' | 'ended';
  phase: Phase;
  /** In the stack's network; empty while it is not running. */
  address: string;
  ports: readonly { port: number; hostAddress: string; hostPort: number }[];
  createdAt: number;
  /** It is able to serve. For a copy: it is complete. */
  ready: boolean;
  /** For a balancer: its active configuration. */
  configuration: string;
  /** For a balancer: addresses of the instances it has connections to. */
  peers: readonly string[];
}

/** Kept volumes are all that may remain of a stack. */
export const isEmpty = ({ markers, hasNetwork, volumes, containers }: ObservedStack): boolean =>
  markers.length + containers.length === 0 && !hasNetwork && volumes.every(({ kept }) => kept !== null);

export const containersOfPart = ({ containers }: ObservedStack, kind: Kind, part: string): StackContainer[] =>
  containers.filter((container) => container.kind === kind && container.part === part);

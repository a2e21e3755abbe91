import type { DockerDocument } from './document.ts';
import type { Phase } from './names.ts';

/** What an engine has of one stack, in our words. */
export interface Running {
  /** The newest first; older ones are left from a change that was broken off. */
  markers: readonly Marker[];
  hasNetwork: boolean;
  volumes: readonly RunningVolume[];
  containers: readonly Standing[];
  /** Also of containers that are just being removed. */
  takenNames: readonly string[];
}

/** A container that never runs: it says what is wanted of the stack. */
export interface Marker {
  container: string;
  sequence: number;
  version: string;
  doing: 'apply' | 'remove';
  document: DockerDocument;
}

export interface RunningVolume {
  name: string;
  /** The instance whose agent made it; empty: it is the stack's. */
  instance: string;
}

export type Kind = 'instance' | 'balancer' | 'database' | 'cache' | 'app';

/** A container of the stack. */
export interface Standing {
  id: string;
  name: string;
  kind: Kind;
  /** The slot, balancer or service it stands for. */
  part: string;
  hash: string;
  flag: string;
  spot: boolean;
  type: string;
  image: string;
  /** Of what an agent made: on which instance. */
  instance: string;
  state: 'created' | 'running' | 'restarting' | 'ended';
  phase: Phase;
  /** In the stack's network; empty while it does not run. */
  address: string;
  ports: readonly { port: number; hostAddress: string; hostPort: number }[];
  createdAt: number;
  /** It does its work. */
  ready: boolean;
  /** Of a balancer: what it works by. */
  configuration: string;
  /** Of a balancer: the addresses of instances it holds connections with. */
  peers: readonly string[];
}

export const isEmpty = ({ markers, hasNetwork, volumes, containers }: Running): boolean =>
  markers.length + volumes.length + containers.length === 0 && !hasNetwork;

export const ofPart = ({ containers }: Running, kind: Kind, part: string): Standing[] =>
  containers.filter((standing) => standing.kind === kind && standing.part === part);

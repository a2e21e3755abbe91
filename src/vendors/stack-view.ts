import type { ObservedStore } from './data.ts';

export interface Output {
  key: string;
  value: string;
  description?: string;
}

export interface Instance {
  id: string;
  flag: string;
  type: string;
  image: string;
  state: 'pending' | 'running' | 'shutting-down' | 'stopping' | 'stopped' | 'terminated';
  launchedAt: number;
  spot: boolean;
  zone: string;
  privateIp: string;
  privateDns: string;
  publicIp: string | null;
  publicDns: string | null;
  networkId: string;
  subnetId: string;
  keyName: string | null;
}

export interface DatabaseInstance {
  id: string;
  role: 'primary' | 'replica';
  engine: string;
  engineVersion: string;
  type: string;
  storageGib: number;
  zone: string;
  state: string;
  address: string;
  port: number;
}

export interface CacheNode {
  id: string;
  role: 'primary' | 'replica';
  engine: string;
  type: string;
  state: string;
  address: string;
  port: number;
}

/** One vendor event about one resource. The id identifies it when it is read again. */
export interface VendorEvent {
  id: string;
  at: number;
  resource: string;
  resourceType: string;
  /** The vendor's id of the resource, once there is one. */
  physicalId?: string;
  /** The version that the vendor worked on; absent: the one that it works on now. */
  version?: string;
  state: string;
  message: string;
}

/** The current resources of a stack. */
export interface StackView {
  outputs: readonly Output[];
  instances: readonly Instance[];
  databases: readonly DatabaseInstance[];
  caches: readonly CacheNode[];
  /** Everything that holds data, also what is being made. Absent in views of earlier releases. */
  stores?: readonly ObservedStore[];
  events: readonly VendorEvent[];
}

export const emptyView: StackView = { outputs: [], instances: [], databases: [], caches: [], events: [] };

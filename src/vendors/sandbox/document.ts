/** The sandbox's template format. */
export interface SandboxDocument {
  region: string;
  /** Sorted: each after its dependencies. */
  resources: DocumentResource[];
  outputs: DocumentOutput[];
}

export interface DocumentResource {
  /** Logical id: stable for the same part of a document. */
  name: string;
  type: ResourceType;
  dependsOn: string[];
  properties: Properties;
}

export interface DocumentOutput {
  key: string;
  description: string;
  /** The resources whose values, joined by commas, form the output. */
  of: string[];
  value: 'address' | 'publicAddress' | 'port';
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

/** A string property; empty if there is none. */
export const textOf = ({ properties }: DocumentResource, key: string): string => {
  const value = properties[key];
  return typeof value === 'string' ? value : '';
};

/** The resource types, and how many milliseconds a creation takes at speed 1. */
export const creationTimes = {
  VirtualNetwork: 1500,
  InternetGateway: 500,
  GatewayAttachment: 1000,
  Subnet: 1000,
  RouteTable: 500,
  NetworkAcl: 500,
  SecurityGroup: 500,
  KeyPair: 300,
  FileSystem: 1500,
  Volume: 500,
  LoadBalancer: 1500,
  LaunchConfiguration: 300,
  AutoScalingGroup: 500,
  Instance: 3500,
  ContainerWait: 1500,
  DatabaseInstance: 4000,
  CacheCluster: 1000,
  CacheNode: 2500,
} as const;

export type ResourceType = keyof typeof creationTimes;

/** The sandbox's own template language: what the model compiles to and what `apply` is given. */
export interface SandboxDocument {
  region: string;
  /** Each after everything it depends on. */
  resources: DocumentResource[];
  outputs: DocumentOutput[];
}

export interface DocumentResource {
  /** Logical id: the same part of the same document always has the same. */
  name: string;
  type: ResourceType;
  dependsOn: string[];
  properties: Properties;
}

export interface DocumentOutput {
  key: string;
  description: string;
  /** The resources whose values, joined by commas, are the output's. */
  of: string[];
  value: 'address' | 'publicAddress' | 'port';
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

/** A property that is text; empty where there is none. */
export const textOf = ({ properties }: DocumentResource, key: string): string => {
  const value = properties[key];
  return typeof value === 'string' ? value : '';
};

/** Each kind of thing the pretend cloud makes, and how many milliseconds that takes at speed 1. */
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

import type { Architecture } from '../choices.ts';

/**
 * What the cloud has in one region, as plain reads: the choices are made from it. Reads may be cached for some minutes. A cloud
 * that does not answer throws `Unreachable`. Limits of the account and classes of databases on sale are not among it: the cloud has no
 * call for all of them, and ROS reports them.
 */
export interface CloudFacts {
  /** Ids of zones in which VSwitches and servers can be made, in the order of the cloud. */
  zones(): Promise<readonly string[]>;
  /** Those of the named instance types that exist. */
  instanceTypes(names: readonly string[]): Promise<readonly InstanceType[]>;
  /** The newest system image of Alibaba Cloud Linux 3; undefined: the region has none. */
  systemImage(architecture: Architecture): Promise<Image | undefined>;
  /** Those of the images with these ids that the account may use. */
  images(ids: readonly string[]): Promise<readonly Image[]>;
  /** Certificates of servers that load balancers can use. */
  certificates(): Promise<readonly Certificate[]>;
}

export interface InstanceType {
  name: string;
  cpus: number;
  memoryGib: number;
  architecture: Architecture;
  /** Zones that have it on sale now. */
  zones: readonly string[];
}

export interface Image {
  id: string;
  architecture: Architecture;
}

export interface Certificate {
  id: string;
  /** The common name and the alternative names. */
  domains: readonly string[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

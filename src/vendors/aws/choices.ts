/** Choices that the model leaves to the vendor, resolved once for a stack. Stored with every version. */
export interface Choices {
  /** Zones of the region available to the account, in order. A layer without a zone is placed in the first. */
  zones: readonly string[];
  /** Machine images of layers that do not specify one, by flag. */
  images: Readonly<Record<string, ChosenImage>>;
  /** The CPU architecture of each instance type. */
  architectures: Readonly<Record<string, Architecture>>;
  /** Equivalents of an instance type, for spot instances: a single type is often unavailable. */
  siblings: Readonly<Record<string, readonly string[]>>;
  /** Certificate ARNs by the domain of a listener. */
  certificates: Readonly<Record<string, string>>;
  /** CIDR blocks of subnets outside layers, by logical id. */
  cidrs: Readonly<Record<string, string>>;
  /** Zones of the subnets of layers and load balancers, by logical id: AWS cannot move a subnet. */
  places: Readonly<Record<string, string>>;
  /** The subnets of layers whose network is divided between zones, by flag; the layer's own subnet is the first. */
  spread: Readonly<Record<string, readonly SpreadSubnet[]>>;
  /** By image id. */
  machineImages: Readonly<Record<string, MachineImage>>;
  /** By name, like `caches`: a changed default must not downgrade, shrink or move an existing database. */
  databases: Readonly<Record<string, ChosenDatabase>>;
  caches: Readonly<Record<string, ChosenCache>>;
  /** Disks of servers outside groups, by the logical id of the server. */
  disks: Readonly<Record<string, ServerDisk>>;
  /** Snapshots that stores were made from, by logical id: AWS replaces a store whose template names its snapshot no longer. */
  restored: Readonly<Record<string, string>>;
  /** What AWS offers for databases and caches that are new or change, by name. Not stored: it becomes part of the choices. */
  offered: Readonly<Record<'databases' | 'caches', Readonly<Record<string, Offered>>>>;
  /** Sentences for the user about what could not be checked. */
  notes: readonly string[];
}

export interface Offered {
  version?: string;
  type?: string;
}

/** Defaults for versions stored by an earlier release, which may lack members. */
export const nothingChosen: Choices = {
  zones: [],
  images: {},
  architectures: {},
  siblings: {},
  certificates: {},
  cidrs: {},
  places: {},
  spread: {},
  machineImages: {},
  databases: {},
  caches: {},
  disks: {},
  restored: {},
  offered: { databases: {}, caches: {} },
  notes: [],
};

export interface SpreadSubnet {
  /** Logical id. */
  id: string;
  zone: string;
  cidr: string;
}

export type Architecture = 'x86_64' | 'arm64';

export interface ChosenImage {
  id: string;
  architecture: Architecture;
}

export interface MachineImage {
  /** The name AWS uses. It has more values than `Architecture`. */
  architecture: string;
  /** The device servers boot from, such as /dev/xvda. */
  rootDevice: string;
}

export interface ChosenDatabase {
  engine: string;
  version: string;
  type: string;
  storageGib: number;
  /** Had another major version before. Kept so that a failed upgrade can be retried. */
  upgraded: boolean;
}

export interface ChosenCache {
  engine: string;
  /** Empty: AWS chooses. */
  version: string;
  /** Versions of earlier releases lack it. */
  nodeType?: string;
  /** Its logical id, if the engine was changed: CloudFormation cannot change the type of a resource. */
  resource?: string;
}

export interface ServerDisk {
  type: string;
  /** The size in the template: CloudFormation replaces a server to change it. */
  madeGib: number;
  /** The size that the disk is grown to, without CloudFormation. */
  sizeGib: number;
  /** The persistent files are on a volume of their own. Decided when the server is new: only a new server attaches it. */
  files: boolean;
}

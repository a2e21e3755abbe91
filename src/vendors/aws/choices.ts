/** What is decided once for a stack where its model leaves the choice open. Kept with every version. */
export interface Choices {
  /** Zones of the region the account can use, in order. A layer that names none is put in the first. */
  zones: readonly string[];
  /** The machine image of each layer that names none, by flag. */
  images: Readonly<Record<string, ChosenImage>>;
  /** What each instance type runs. */
  architectures: Readonly<Record<string, Architecture>>;
  /** Types as good as one a layer names, for its spot instances: a single type is often not to be had. */
  siblings: Readonly<Record<string, readonly string[]>>;
  /** The certificate for each domain a listener names. */
  certificates: Readonly<Record<string, string>>;
  /** Blocks of addresses for subnets that no layer brings, by the subnet's logical id. */
  cidrs: Readonly<Record<string, string>>;
  /** The zones of layers' subnets and of the load balancers' own, by logical id: AWS cannot move a subnet. */
  places: Readonly<Record<string, string>>;
  /** What is known of machine images, by id. */
  machineImages: Readonly<Record<string, MachineImage>>;
  /** By name, as everything below: what stands is not lowered, made smaller or moved because a default changed. */
  databases: Readonly<Record<string, ChosenDatabase>>;
  caches: Readonly<Record<string, ChosenCache>>;
}

/** Versions stored by an earlier Almanac lack what it did not decide yet. */
export const nothingChosen: Choices = {
  zones: [],
  images: {},
  architectures: {},
  siblings: {},
  certificates: {},
  cidrs: {},
  places: {},
  machineImages: {},
  databases: {},
  caches: {},
};

export type Architecture = 'x86_64' | 'arm64';

export interface ChosenImage {
  id: string;
  architecture: Architecture;
}

export interface MachineImage {
  /** AWS's own word; there are more than those our types run. */
  architecture: string;
  /** What servers made from it boot from, such as /dev/xvda. */
  rootDevice: string;
}

export interface ChosenDatabase {
  engine: string;
  version: string;
  type: string;
  storageGib: number;
  /** It once was of another major version. That stays written, so that an upgrade that failed can be tried again. */
  upgraded: boolean;
}

export interface ChosenCache {
  engine: string;
  version: string;
}

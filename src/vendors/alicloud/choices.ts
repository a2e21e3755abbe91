/** Choices that the model leaves to the cloud, resolved once for a stack. Stored with every version. */
export interface Choices {
  /** Zones of VSwitches, by logical id: a VSwitch cannot move. */
  places: Readonly<Record<string, string>>;
  /** Blocks of VSwitches outside layers, by logical id. */
  cidrs: Readonly<Record<string, string>>;
  /** By flag of the layer. */
  servers: Readonly<Record<string, ChosenServer>>;
  /** By name, like `caches`: a changed default must not replace, shrink or move an existing database. */
  databases: Readonly<Record<string, ChosenDatabase>>;
  caches: Readonly<Record<string, ChosenCache>>;
  /** Ids of certificates by the domain of a listener. */
  certificates: Readonly<Record<string, string>>;
  /** Sizes of boot disks of fixed servers that exist, by flag: a disk cannot shrink. */
  volumeGib: Readonly<Record<string, number>>;
  /** Sentences for the user about what could not be checked. Not stored: they become part of the document's notes. */
  notes: readonly string[];
}

export type Architecture = 'x86_64' | 'arm64';

export interface ChosenServer {
  type: string;
  /** Other types of the same size, for spot servers: a single one is often sold out. */
  siblings: readonly string[];
  architecture: Architecture;
  /** Id. */
  image: string;
  /** What the document names; empty: nothing. */
  askedImage: string;
}

/** Only the larger edition has a standby and read replicas. */
export type DatabaseCategory = 'Basic' | 'HighAvailability';

export interface ChosenDatabase {
  engine: string;
  version: string;
  type: string;
  category: DatabaseCategory;
  /** The size of the existing one; 0: it is new. */
  storageGib: number;
}

export interface ChosenCache {
  engine: string;
  /** Empty: the engine has none. */
  version: string;
}

export const nothingChosen: Choices = {
  places: {},
  cidrs: {},
  servers: {},
  databases: {},
  caches: {},
  certificates: {},
  volumeGib: {},
  notes: [],
};

/** Choices that the model leaves to the cloud, resolved once for a stack. Stored with every version. */
export interface Choices {
  /** Id of the network through which the router reaches the internet. */
  externalNetwork: string;
  /** The zone of the stack where networks have zones; empty: the cloud places everything. */
  zone: string;
  /** By flag of the layer. */
  servers: Readonly<Record<string, ChosenServer>>;
  /** By name, like `caches`: a changed default must not replace, shrink or move an existing database. */
  databases: Readonly<Record<string, ChosenDatabase>>;
  caches: Readonly<Record<string, ChosenServer>>;
  /** References to certificates by the domain of a listener. */
  certificates: Readonly<Record<string, string>>;
  /** The block of the network of databases and caches; empty: there are none. */
  dataCidr: string;
  /** The sizes of boot volumes that exist, by flag: the cloud cannot shrink them. */
  volumeGib: Readonly<Record<string, number>>;
  /** The sizes of databases that exist, by name. */
  databaseGib: Readonly<Record<string, number>>;
  /** Whether the cloud has object storage, which Trove needs for backups. */
  hasBackups: boolean;
  /** What resources with data were made from instead of being empty: ids of backups or volumes, by name of the resource. */
  restored: Readonly<Record<string, string>>;
  /** Sentences for the user about what the choices mean. Not stored: they become part of the document's notes. */
  notes: readonly string[];
}

export interface ChosenFlavor {
  /** The type in the document for which it was chosen; another type is another choice. */
  type: string;
  name: string;
  cpus: number;
  memoryMib: number;
}

export interface ChosenServer {
  flavor: ChosenFlavor;
  /** Id. */
  image: string;
  /** What the document names; empty: nothing. */
  askedImage: string;
  /** The user that the image makes for ssh. */
  sshUser: string;
  /** Null: the server boots from the disk of its flavor. */
  volume: ChosenVolume | null;
  /** The volume of its data, if it has any, which outlives the server; absent: the disk of the server has it, because its script mounts none. */
  data?: ChosenVolume;
}

/** A volume of a server. Type and zone stay as long as the document asks for the same: others would be another volume. */
export interface ChosenVolume {
  sizeGib: number;
  /** Empty, like the zone: the cloud chooses. */
  type: string;
  /** The type in the document, and the zone of the server; empty: none. */
  askedType: string;
  zone: string;
  askedZone: string;
}

export interface ChosenDatabase {
  flavor: ChosenFlavor;
  engine: string;
  version: string;
}

export const nothingChosen: Choices = {
  externalNetwork: '',
  zone: '',
  servers: {},
  databases: {},
  caches: {},
  certificates: {},
  dataCidr: '',
  volumeGib: {},
  databaseGib: {},
  hasBackups: false,
  restored: {},
  notes: [],
};

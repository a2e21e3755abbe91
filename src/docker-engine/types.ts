import type { Readable } from 'node:stream';
import type { Secret } from '../basics/secret.ts';
import type { Attachment, Containers, LabelFilter, Labels } from './container-types.ts';

/** A container engine, Docker or Podman. Failures are thrown: `EngineError` and `EngineUnreachable`. */
export interface Engine {
  system: System;
  networks: Networks;
  containers: Containers;
  images: Images;
  volumes: Volumes;
}

export interface System {
  ping(): Promise<void>;
  version(): Promise<EngineVersion>;
  /** What happens to containers from now on, until the signal. A value of null in `labels` stands for any. */
  events(labels: LabelFilter, signal: AbortSignal): AsyncIterable<ContainerEvent>;
}

export interface EngineVersion {
  kind: 'docker' | 'podman';
  version: string;
  apiVersion: string;
  architecture: string;
}

export interface ContainerEvent {
  /** Milliseconds since 1970. */
  at: number;
  /** In Docker's words: create, start, die, stop, kill, destroy, … */
  action: string;
  containerId: string;
  labels: Labels;
}

export interface Networks {
  /** Gives the id. A conflict when there is one by that name. */
  create(spec: NetworkSpec): Promise<string>;
  list(labels: LabelFilter): Promise<Network[]>;
  inspect(nameOrId: string): Promise<NetworkDetails | undefined>;
  /** False: it was not there. */
  remove(nameOrId: string): Promise<boolean>;
  connect(attachment: Attachment, container: string): Promise<void>;
  /** False: it was not connected, or one of the two is not there. */
  disconnect(network: string, container: string): Promise<boolean>;
}

export interface NetworkSpec {
  name: string;
  /** `10.1.0.0/16`; the engine chooses one where there is none. */
  subnet?: string;
  /** The machine's own address there. */
  gateway?: string;
  labels?: Labels;
  /** Without a way out. */
  internal?: boolean;
}

export interface Network {
  id: string;
  name: string;
  labels: Labels;
  subnet: string;
  /** Empty where it was left to the engine and it does not tell. */
  gateway: string;
}

export interface NetworkDetails extends Network {
  /** Those that run. */
  containers: readonly { id: string; name: string; address: string }[];
}

export interface RegistryLogin {
  username: string;
  password: Secret;
}

export interface Images {
  inspect(reference: string): Promise<Image | undefined>;
  /** `latest` where the reference has neither tag nor digest. */
  pull(reference: string, options?: { login?: RegistryLogin; signal?: AbortSignal }): Promise<void>;
  tag(image: string, reference: string): Promise<void>;
  /** False: it was not there. */
  remove(reference: string, options?: { force?: boolean }): Promise<boolean>;
  /** Makes an image of one layer from a tar archive, and gives its id. */
  import(archive: Readable | Buffer, reference: string): Promise<string>;
}

export interface Image {
  id: string;
  references: readonly string[];
  labels: Labels;
  environment: Readonly<Record<string, string>>;
  /** `80/tcp`. */
  exposedPorts: readonly string[];
  createdAt: number;
  sizeBytes: number;
}

export interface Volumes {
  /** May be repeated. */
  create(spec: { name: string; labels?: Labels }): Promise<void>;
  list(labels: LabelFilter): Promise<Volume[]>;
  /** False: it was not there. */
  remove(name: string): Promise<boolean>;
}

export interface Volume {
  name: string;
  labels: Labels;
}

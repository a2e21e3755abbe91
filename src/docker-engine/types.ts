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
  /** Events of containers from now on, until the signal aborts. */
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
  /** Docker's names: create, start, die, stop, kill, destroy, … */
  action: string;
  containerId: string;
  labels: Labels;
}

export interface Networks {
  /** Returns the id. Fails with a conflict if the name is taken. */
  create(spec: NetworkSpec): Promise<string>;
  list(labels: LabelFilter): Promise<Network[]>;
  inspect(nameOrId: string): Promise<NetworkDetails | undefined>;
  /** False: it does not exist. */
  remove(nameOrId: string): Promise<boolean>;
  connect(attachment: Attachment, container: string): Promise<void>;
  /** False: it was not connected, or one of the two does not exist. */
  disconnect(network: string, container: string): Promise<boolean>;
}

export interface NetworkSpec {
  name: string;
  /** Such as `10.1.0.0/16`. Default: chosen by the engine. */
  subnet?: string;
  /** The machine's address in the network. */
  gateway?: string;
  labels?: Labels;
  /** Without access to other networks. */
  internal?: boolean;
}

export interface Network {
  id: string;
  name: string;
  labels: Labels;
  subnet: string;
  /** Empty where the engine chose it and does not report it. */
  gateway: string;
}

export interface NetworkDetails extends Network {
  /** Running containers. */
  containers: readonly { id: string; name: string; address: string }[];
}

export interface RegistryLogin {
  username: string;
  password: Secret;
}

export interface Images {
  inspect(reference: string): Promise<Image | undefined>;
  /** Default tag: `latest`. */
  pull(reference: string, options?: { login?: RegistryLogin; signal?: AbortSignal }): Promise<void>;
  tag(image: string, reference: string): Promise<void>;
  /** False: it does not exist. */
  remove(reference: string, options?: { force?: boolean }): Promise<boolean>;
  /** Creates an image of one layer from a tar archive. Returns its id. */
  import(archive: Readable | Buffer, reference: string): Promise<string>;
}

export interface Image {
  id: string;
  references: readonly string[];
  /** Such as `host/name@sha256:…`: what registries call it. Empty for an image built on this machine. */
  digests: readonly string[];
  labels: Labels;
  environment: Readonly<Record<string, string>>;
  /** Whom its containers run as: a name or number, and a group after `:`. Empty: root. */
  user: string;
  /** Such as `80/tcp`. */
  exposedPorts: readonly string[];
  createdAt: number;
  sizeBytes: number;
}

export interface Volumes {
  /** Idempotent. Returns the volume, which has other labels if it existed before. */
  create(spec: { name: string; labels?: Labels }): Promise<Volume>;
  list(labels: LabelFilter): Promise<Volume[]>;
  /** The names of the containers that mount it, in every state. */
  usersOf(name: string): Promise<string[]>;
  /** False: it does not exist. */
  remove(name: string): Promise<boolean>;
}

export interface Volume {
  name: string;
  labels: Labels;
}

import type { Readable, Writable } from 'node:stream';

export type Labels = Readonly<Record<string, string>>;

/** Everything that has all of these labels; null: whatever its value. */
export type LabelFilter = Readonly<Record<string, string | null>>;

/** A container's place in a network. Aliases are names the others there find it by, besides its own. */
export interface Attachment {
  network: string;
  address?: string;
  aliases?: readonly string[];
}

export interface Containers {
  /** Gives the id. All or nothing. A conflict when there is one by that name. A wrong network may only show at the start. */
  create(spec: ContainerSpec): Promise<string>;
  /** False: it was running already. */
  start(container: string): Promise<boolean>;
  /** False: it was not running. After `seconds` it is killed. */
  stop(container: string, seconds: number): Promise<boolean>;
  kill(container: string, signal: string): Promise<void>;
  /** With its nameless volumes. False: it was not there, or is being removed. */
  remove(container: string, options?: { force?: boolean }): Promise<boolean>;
  rename(container: string, name: string): Promise<void>;
  inspect(container: string): Promise<ContainerDetails | undefined>;
  /** In every state. */
  list(labels: LabelFilter): Promise<Container[]>;
  /** What it wrote last, both streams in one. */
  logs(container: string, lines: number): Promise<string>;
  /** Waits until it does not run, and gives its exit code. */
  wait(container: string, signal?: AbortSignal): Promise<number>;
  exec(container: string, argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** The same with streams, for long or interactive things. */
  execStream(container: string, argv: readonly string[], options?: ExecOptions): Promise<RunningExec>;
  /** Also before the first start. Missing directories are made. */
  putFiles(container: string, files: readonly FileToPut[]): Promise<void>;
  /** Undefined: no such file or container. */
  readFile(container: string, path: string): Promise<Buffer | undefined>;
}

export type Mount =
  | { kind: 'bind'; source: string; target: string; readOnly?: boolean }
  | { kind: 'volume'; volume: string; target: string; readOnly?: boolean }
  | { kind: 'tmpfs'; target: string };

export interface PublishedPort {
  port: number;
  protocol?: 'tcp' | 'udp';
  /** All addresses of the machine where there is none. */
  hostAddress?: string;
  /** The engine chooses one where there is none. */
  hostPort?: number;
}

export interface ContainerSpec {
  name: string;
  image: string;
  entrypoint?: readonly string[];
  command?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  labels?: Labels;
  hostname?: string;
  /** `uid`, `uid:gid` or a name in the image. */
  user?: string;
  workingDirectory?: string;
  /** The first one is the default route. None: the engine's default network. */
  networks?: readonly Attachment[];
  /** Further lines of its hosts file: name to address; `host-gateway` is the machine. */
  extraHosts?: Readonly<Record<string, string>>;
  mounts?: readonly Mount[];
  ports?: readonly PublishedPort[];
  restart?: 'no' | 'always' | 'unless-stopped' | 'on-failure';
  /** `none`: the image's own check is not run. */
  healthcheck?: 'none';
  addCapabilities?: readonly string[];
  dropCapabilities?: readonly string[];
  memoryMib?: number;
  /** 0.5 is half of one. */
  cpus?: number;
  sharedMemoryMib?: number;
  /** Processes and threads; 1024 where there is none. */
  pidsLimit?: number;
  /** The engine's own first process, which collects what others leave behind. */
  init?: boolean;
}

export type ContainerState = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';

export interface Container {
  id: string;
  name: string;
  /** As it was asked for. */
  image: string;
  imageId: string;
  labels: Labels;
  state: ContainerState;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** An address is empty while the container does not run, unless it is a fixed one. */
  networks: readonly { network: string; address: string }[];
  ports: readonly { port: number; protocol: string; hostAddress: string; hostPort: number }[];
}

export interface ContainerDetails extends Container {
  environment: Readonly<Record<string, string>>;
  /** Of the last run; null while it runs or never did. */
  exitCode: number | null;
  /** Killed for want of memory. */
  outOfMemory: boolean;
  /** Why it could not start, in the engine's words. */
  error: string;
  startedAt: number | null;
  finishedAt: number | null;
  restartCount: number;
  /** Null: there is no check. */
  health: 'starting' | 'healthy' | 'unhealthy' | null;
  /** `source` is a path or a volume's name. */
  mounts: readonly { kind: string; source: string; target: string; readOnly: boolean }[];
}

export interface ExecOptions {
  environment?: Readonly<Record<string, string>>;
  user?: string;
  workingDirectory?: string;
  /** Written to it, then closed. Only for `exec`; a stream has its `input`. */
  input?: string | Buffer;
  /** Without one `exec` gives up after 30 seconds; a stream goes on as long as it likes. */
  signal?: AbortSignal;
}

export interface ExecResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface RunningExec {
  input: Writable;
  stdout: Readable;
  stderr: Readable;
  /** When both streams have ended; read them, or it never does. */
  exitCode: Promise<number>;
}

export interface FileToPut {
  /** Absolute. */
  path: string;
  content: string | Buffer;
  /** 0o644 where there is none. */
  mode?: number;
  /** Root where there is none. */
  owner?: { uid: number; gid: number };
}

import type { Readable, Writable } from 'node:stream';
import type { LogLine } from '../basics/text/log-line.ts';

export type Labels = Readonly<Record<string, string>>;

/** Matches what has all of these labels; null: with any value. */
export type LabelFilter = Readonly<Record<string, string | null>>;

/** A container's endpoint in a network. Aliases are further DNS names in that network. */
export interface Attachment {
  network: string;
  address?: string;
  aliases?: readonly string[];
}

export interface Containers {
  /** Returns the id. Atomic. Fails with a conflict if the name is taken. An unknown network may fail only at the start. */
  create(spec: ContainerSpec): Promise<string>;
  /** False: it was already running. */
  start(container: string): Promise<boolean>;
  /** Kills it after `seconds`. False: it was not running. */
  stop(container: string, seconds: number): Promise<boolean>;
  kill(container: string, signal: string): Promise<void>;
  /** Also removes its anonymous volumes. False: it does not exist, or is already being removed. */
  remove(container: string, options?: { force?: boolean }): Promise<boolean>;
  rename(container: string, name: string): Promise<void>;
  inspect(container: string): Promise<ContainerDetails | undefined>;
  /** Lists containers in every state. */
  list(labels: LabelFilter): Promise<Container[]>;
  /** The last lines of stdout and stderr together. */
  logs(container: string, lines: number): Promise<string>;
  /** Lines of both outputs, with their times. With `follow`, ends when the container stops. */
  logLines(container: string, request: LogLinesRequest): AsyncGenerator<ContainerLogLine>;
  /** Processor time used since its start, in nanoseconds; undefined: it is not running or does not exist. */
  cpuTime(container: string): Promise<number | undefined>;
  /** Waits until it stops. Returns its exit code. */
  wait(container: string, signal?: AbortSignal): Promise<number>;
  exec(container: string, argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** `exec` with streams, for long or interactive processes. */
  execStream(container: string, argv: readonly string[], options?: ExecOptions): Promise<RunningExec>;
  /** Works before the first start too. Creates missing directories. */
  putFiles(container: string, files: readonly FileToPut[]): Promise<void>;
  /** Undefined: the file or the container does not exist. */
  readFile(container: string, path: string): Promise<Buffer | undefined>;
}

export interface LogLinesRequest {
  /** The last lines. */
  lines: number;
  /** Only lines after this time, in the form of `logTime`; null: of any time. */
  since: string | null;
  follow: boolean;
  signal: AbortSignal;
}

export type ContainerLogLine = Pick<LogLine, 'time' | 'stream' | 'text'>;

export type Mount =
  | { kind: 'bind'; source: string; target: string; readOnly?: boolean }
  | { kind: 'volume'; volume: string; target: string; readOnly?: boolean }
  | { kind: 'tmpfs'; target: string };

export interface PublishedPort {
  port: number;
  protocol?: 'tcp' | 'udp';
  /** Default: all addresses of the machine. */
  hostAddress?: string;
  /** Default: chosen by the engine. */
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
  /** The first is the default route. Default: the engine's default network. */
  networks?: readonly Attachment[];
  /** Further entries of its hosts file, address by name; `host-gateway` is the machine. */
  extraHosts?: Readonly<Record<string, string>>;
  mounts?: readonly Mount[];
  ports?: readonly PublishedPort[];
  restart?: 'no' | 'always' | 'unless-stopped' | 'on-failure';
  /** `none` disables the image's own check. */
  healthcheck?: 'none';
  addCapabilities?: readonly string[];
  dropCapabilities?: readonly string[];
  memoryMib?: number;
  /** 0.5 is half a CPU. */
  cpus?: number;
  sharedMemoryMib?: number;
  /** Processes and threads. Default: 1024. */
  pidsLimit?: number;
  /** Runs the engine's init process, which reaps zombie processes. */
  init?: boolean;
}

export type ContainerState = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';

export interface Container {
  id: string;
  name: string;
  /** As named in `create`. */
  image: string;
  imageId: string;
  labels: Labels;
  state: ContainerState;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** An address is empty while the container is not running, unless it is a fixed address. */
  networks: readonly { network: string; address: string }[];
  ports: readonly { port: number; protocol: string; hostAddress: string; hostPort: number }[];
}

export interface ContainerDetails extends Container {
  environment: Readonly<Record<string, string>>;
  /** Of the last run; null while running and before the first start. */
  exitCode: number | null;
  /** Killed because it ran out of memory. */
  outOfMemory: boolean;
  /** The engine's message when it could not start. */
  error: string;
  startedAt: number | null;
  finishedAt: number | null;
  restartCount: number;
  /** Null: it has no health check. */
  health: 'starting' | 'healthy' | 'unhealthy' | null;
  /** `source` is a path or a volume name. */
  mounts: readonly { kind: string; source: string; target: string; readOnly: boolean }[];
}

export interface ExecOptions {
  environment?: Readonly<Record<string, string>>;
  user?: string;
  workingDirectory?: string;
  /** Written to stdin, which is then closed. Only for `exec`; a stream has its own `input`. */
  input?: string | Buffer;
  /** Without a signal, `exec` times out after 30 seconds. A stream has no timeout. */
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
  /** Resolves when both streams have ended, so both must be read. */
  exitCode: Promise<number>;
}

export interface FileToPut {
  /** Absolute. */
  path: string;
  content: string | Buffer;
  /** Default: 0o644. */
  mode?: number;
  /** Default: root. */
  owner?: { uid: number; gid: number };
}

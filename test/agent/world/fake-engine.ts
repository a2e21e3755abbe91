import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { AppEngine } from '../../../src/agent/app-engine.ts';
import { logTime } from '../../../src/basics/text/log-line.ts';
import type {
  ContainerLogLine,
  ContainerSpec,
  FileToPut,
  LogLinesRequest,
} from '../../../src/docker-engine/container-types.ts';
import { EngineError, EngineUnreachable } from '../../../src/docker-engine/errors.ts';
import { details, type FakeContainer, serve } from './fake-container.ts';

/** `web` responds on its ports, `mute` does not listen, `crash` exits immediately, `invalid` has no program. */
type Behaviour = 'web' | 'mute' | 'crash' | 'invalid';

/**
 * A fake engine: containers are servers in this process, each on a separate loopback address. Implements only the calls of
 * the agent. test/docker tests the agent with a real engine.
 */
export class FakeEngine {
  readonly containers = new Map<string, FakeContainer>();
  readonly volumes = new Map<string, Readonly<Record<string, string>>>();
  /** The images in the registry, which also exist locally. */
  readonly images = new Map<string, Behaviour>();
  /** Exposed ports of every image. */
  exposedPorts: string[] = [];
  /** Whom every image runs as. */
  user = '';
  readonly logins: { username: string; password: string }[] = [];
  isUnreachable = false;
  /** The error of every pull. */
  pullError: Error | undefined;
  #created = 0;
  #started = 0;

  get running(): FakeContainer[] {
    return [...this.containers.values()].filter(({ state }) => state === 'running');
  }

  /** Simulates a line that the application writes. */
  write(id: string, text: string, stream: ContainerLogLine['stream'] = 'stdout'): void {
    const { lines, readers } = this.#get(id);
    const line = { time: logTime(1_893_456_000_000 + lines.length), stream, text };
    lines.push(line);
    for (const reader of readers) reader(line);
  }

  /** How many programs follow the log of a container. */
  get followers(): number {
    return [...this.containers.values()].reduce((sum, { readers }) => sum + readers.size, 0);
  }

  /** Simulates a removal by another program. */
  async remove(id: string): Promise<void> {
    await this.#stop(this.#get(id));
    this.containers.delete(id);
  }

  /** Simulates a stop by hand. The container has another address when it starts again. */
  async stopAndMove(id: string): Promise<void> {
    const container = this.#get(id);
    await this.#stop(container);
    container.address = this.#newAddress();
  }

  /** Simulates an exit, after which the engine starts the container again. */
  async crash(id: string): Promise<void> {
    const container = this.#get(id);
    const restarts = container.restarts + 1;
    await this.#stop(container);
    await this.#start(container);
    container.restarts = restarts;
  }

  async close(): Promise<void> {
    for (const container of this.containers.values()) await this.#stop(container);
  }

  asEngine(): AppEngine {
    const parts = {
      containers: this.#containerCalls(),
      images: {
        inspect: async (image: string) =>
          this.images.has(image)
            ? {
                id: image,
                labels: {},
                exposedPorts: this.exposedPorts,
                user: this.user,
                digests: [`web@sha256:of-${image}`],
              }
            : undefined,
        pull: async (
          image: string,
          { login }: { login?: { username: string; password: { reveal(): string } } },
        ) => {
          if (login) this.logins.push({ username: login.username, password: login.password.reveal() });
          if (this.pullError) throw this.pullError;
          if (!this.images.has(image)) throw new EngineError(404, 'manifest unknown', 'POST /images/create');
        },
      },
      volumes: {
        create: async ({ name, labels = {} }: { name: string; labels?: Record<string, string> }) =>
          void this.volumes.set(name, labels),
      },
      isFromRegistry: async () => true,
      putArchive: async (id: string, archive: Parameters<typeof buffer>[0]) => {
        this.#get(id).archive = await buffer(archive);
      },
    };
    return parts as unknown as AppEngine;
  }

  #containerCalls() {
    return {
      list: async (labels: Record<string, string>) => {
        if (this.isUnreachable) throw new EngineUnreachable('The container engine did not respond.');
        return [...this.containers.values()]
          .filter(({ spec }) =>
            Object.entries(labels).every(([name, value]) => spec.labels?.[name] === value),
          )
          .map(details);
      },
      inspect: async (id: string) => {
        const found = this.containers.get(id);
        return found && details(found);
      },
      putFiles: async (id: string, files: readonly FileToPut[]) => {
        this.#get(id).files = files;
      },
      create: async (spec: ContainerSpec) => this.#create(spec),
      start: async (id: string) => this.#start(this.#get(id)),
      stop: async (id: string) => this.#stop(this.#get(id)),
      remove: async (id: string) => this.containers.delete(id),
      logLines: (id: string, request: LogLinesRequest) => this.#logLines(this.#get(id), request),
      logs: async (id: string) => `${this.#get(id).spec.environment?.GREETING ?? ''} no database\n`,
    };
  }

  async *#logLines(
    { lines, readers }: FakeContainer,
    { lines: count, since, follow, signal }: LogLinesRequest,
  ): AsyncGenerator<ContainerLogLine> {
    const isNew = ({ time }: ContainerLogLine): boolean => since === null || time > since;
    const queue: (ContainerLogLine | null)[] = count > 0 ? lines.filter(isNew).slice(-count) : [];
    let wake = () => {};
    const reader = (line: ContainerLogLine | null) => {
      queue.push(line);
      wake();
    };
    if (follow) readers.add(reader);
    else queue.push(null);
    signal.addEventListener('abort', () => reader(null), { once: true });
    try {
      for (;;) {
        const line = queue.shift();
        if (line === null) return;
        if (line) yield line;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      readers.delete(reader);
    }
  }

  #get(id: string): FakeContainer {
    const found = this.containers.get(id);
    if (!found) throw new EngineError(404, 'no such container', id);
    return found;
  }

  #newAddress(): string {
    this.#created += 1;
    return `127.${1 + (process.pid % 200)}.${Math.floor(this.#created / 250)}.${1 + (this.#created % 250)}`;
  }

  #create(spec: ContainerSpec): string {
    const address = this.#newAddress();
    const id = `container-${this.#created}`;
    const initial = {
      state: 'created',
      restarts: 0,
      archive: Buffer.alloc(0),
      files: [],
      servers: [],
      startedAt: null,
      health: null,
    } as const;
    this.containers.set(id, { ...initial, id, spec, address, servers: [], lines: [], readers: new Set() });
    return id;
  }

  async #start(container: FakeContainer): Promise<boolean> {
    const behaviour = this.images.get(container.spec.image);
    if (behaviour === 'invalid') throw new EngineError(400, 'exec: "run": not found in $PATH', 'POST /start');
    this.#started += 1;
    container.startedAt = Date.now() + this.#started / 1000;
    container.state = behaviour === 'crash' ? 'restarting' : 'running';
    container.restarts = behaviour === 'crash' ? 5 : 0;
    const ports = (container.spec.labels?.['almanac.ports'] ?? '').split(',').filter(Boolean).map(Number);
    if (behaviour === 'web') for (const port of ports) container.servers.push(await serve(container, port));
    return true;
  }

  async #stop(container: FakeContainer): Promise<boolean> {
    for (const reader of container.readers) reader(null);
    container.state = 'exited';
    const servers = container.servers.splice(0);
    // Like a graceful shutdown: open requests are finished first.
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    return true;
  }
}

/** A free port on all addresses. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

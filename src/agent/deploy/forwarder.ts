import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';

/** A container that serves. Its address may change when the engine restarts it. */
export interface Backend {
  readonly id: string;
  host(): string;
  refresh(): Promise<void>;
}

interface Pair {
  backend: string;
  client: Socket;
  upstream: Socket | undefined;
  /** When the container last sent data; undefined: the client waits for a response. */
  respondedAt: number | undefined;
}

/** How long a connection waits for a container that is restarting. */
const connectTimeoutSeconds = 5;
const retryDelaySeconds = 0.2;
/** A response counts as complete after this long without data. Shrinks towards the deadline. */
const idleSeconds = { atStart: 0.5, atDeadline: 0.05 };
const closingSeconds = 5;

/**
 * TCP proxy that listens on the instance's ports and forwards each connection to the active container. A switch affects new
 * connections only.
 */
export class Forwarder {
  readonly #clock: Clock;
  readonly #address: string | undefined;
  readonly #servers = new Map<number, Server>();
  readonly #pairs = new Set<Pair>();
  #active: Backend | undefined;

  /** `address` undefined: listens on all addresses. */
  constructor(clock: Clock, address?: string) {
    this.#clock = clock;
    this.#address = address;
  }

  get ports(): number[] {
    return [...this.#servers.keys()];
  }

  /** Sends new connections to the backend. Opens all its ports first, or changes nothing. */
  async switchTo(backend: Backend, ports: readonly number[]): Promise<void> {
    const opened: number[] = [];
    try {
      for (const port of ports) {
        if (this.#servers.has(port)) continue;
        this.#servers.set(port, await this.#listen(port));
        opened.push(port);
      }
    } catch (error) {
      for (const port of opened) this.#stopListening(port);
      throw error;
    }
    this.#active = backend;
    for (const port of this.ports) if (!ports.includes(port)) this.#stopListening(port);
  }

  connectionsOf(id: string): number {
    return [...this.#pairs].filter(({ backend }) => backend === id).length;
  }

  /**
   * Waits for the backend's connections to close, up to `seconds`. Then closes those that are idle between two requests,
   * such as the keep-alive connections of load balancers.
   */
  async drain(id: string, seconds: number, signal?: AbortSignal): Promise<void> {
    const start = this.#clock.now();
    const elapsed = () => (this.#clock.now() - start) / 1000;
    while (this.connectionsOf(id) > 0 && elapsed() < seconds + closingSeconds && !signal?.aborted) {
      if (elapsed() >= seconds) this.#closeIdle(id, (elapsed() - seconds) / closingSeconds);
      await pause(this.#clock, 20, signal);
    }
  }

  #closeIdle(id: string, progress: number): void {
    const idle = Math.max(idleSeconds.atDeadline, idleSeconds.atStart * (1 - progress));
    const latest = this.#clock.now() - idle * 1000;
    for (const pair of this.#pairs)
      if (pair.backend === id && pair.respondedAt !== undefined && pair.respondedAt <= latest)
        destroyPair(pair);
  }

  /** Closes the remaining connections of a backend. */
  closeConnections(id: string): void {
    for (const pair of this.#pairs) if (pair.backend === id) destroyPair(pair);
  }

  /** Refuses new connections. Open connections stay. */
  refuseNew(): void {
    for (const port of this.ports) this.#stopListening(port);
  }

  close(): void {
    this.refuseNew();
    for (const pair of this.#pairs) destroyPair(pair);
  }

  #stopListening(port: number): void {
    this.#servers.get(port)?.close();
    this.#servers.delete(port);
  }

  #listen(port: number): Promise<Server> {
    // Half-open: a client that has sent its whole request still gets the response.
    const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
      void this.#forward(client, port);
    });
    return new Promise((resolve, reject) => {
      // Stays registered: a connection that cannot be accepted, such as for lack of file descriptors, must not end the agent.
      server.on('error', (error: NodeJS.ErrnoException) =>
        reject(new Error(`Cannot listen on port ${port} of the instance: ${error.code ?? error.message}.`)),
      );
      server.listen({ port, host: this.#address }, () => resolve(server));
    });
  }

  async #forward(client: Socket, port: number): Promise<void> {
    const pair: Pair = { backend: '', client, upstream: undefined, respondedAt: this.#clock.now() };
    this.#pairs.add(pair);
    client.on('close', () => this.#pairs.delete(pair));
    client.on('error', () => destroyPair(pair));
    const upstream = await this.#connectUpstream(pair, port);
    if (!upstream || client.destroyed) {
      upstream?.destroy();
      return destroyPair(pair);
    }
    pair.upstream = upstream;
    pipePair(pair, upstream);
    client.on('data', () => (pair.respondedAt = undefined));
    upstream.on('data', () => (pair.respondedAt = this.#clock.now()));
  }

  /** Retries with the container that is active at that moment: the previous one may be removed. */
  async #connectUpstream(pair: Pair, port: number): Promise<Socket | undefined> {
    const deadline = this.#clock.now() + connectTimeoutSeconds * 1000;
    for (let backend = this.#active; backend && !pair.client.destroyed; backend = this.#active) {
      pair.backend = backend.id;
      const upstream = await openConnection(this.#clock, backend.host(), port);
      if (upstream || this.#clock.now() >= deadline) return upstream;
      await pause(this.#clock, retryDelaySeconds * 1000);
      await backend.refresh().catch(() => undefined);
    }
    return undefined;
  }
}

function pipePair(pair: Pair, upstream: Socket): void {
  const { client } = pair;
  upstream.on('error', () => destroyPair(pair));
  upstream.on('close', () => client.destroySoon());
  client.on('close', () => upstream.destroySoon());
  client.pipe(upstream);
  upstream.pipe(client);
}

function destroyPair({ client, upstream }: Pair): void {
  client.destroy();
  upstream?.destroy();
}

/** Opens a connection; undefined: refused or timed out. */
export const openConnection = (clock: Clock, host: string, port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true, keepAlive: true });
    const finish = (result: Socket | undefined) => {
      cancel();
      if (!result) socket.destroy();
      resolve(result);
    };
    const cancel = clock.after(2000, () => finish(undefined));
    // Stays registered after connecting: a socket error without a listener would crash the agent.
    socket.on('error', () => finish(undefined));
    socket.once('connect', () => finish(socket));
  });

import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';

/** A container that serves, and where. Its address may change when the engine starts it again. */
export interface Backend {
  readonly id: string;
  host(): string;
  refresh(): Promise<void>;
}

interface Pair {
  backend: string;
  client: Socket;
  upstream: Socket | undefined;
  /** When the container last said something; undefined: it is its turn to. */
  answeredAt: number | undefined;
}

/** How long a connection waits for a container that is being started again. */
const patienceSeconds = 5;
const betweenTriesSeconds = 0.2;
/** An answer that has not gone on for so long is taken for complete: the less, the nearer the end is anyway. */
const quietSeconds = { atFirst: 0.5, atLast: 0.05 };
const closingSeconds = 5;

/**
 * Holds the instance's ports and passes each connection on to the active container. Which one that is changes between two
 * connections, never within one.
 */
export class Forwarder {
  readonly #clock: Clock;
  readonly #address: string | undefined;
  readonly #servers = new Map<number, Server>();
  readonly #pairs = new Set<Pair>();
  #active: Backend | undefined;

  /** `address` undefined: every address of the instance. */
  constructor(clock: Clock, address?: string) {
    this.#clock = clock;
    this.#address = address;
  }

  get ports(): number[] {
    return [...this.#servers.keys()];
  }

  /** New connections go to the backend from now on. All its ports are held before, or nothing changes. */
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
   * Waits until the backend's connections ended by themselves, for so long at most. Then those that only wait for another
   * question, as balancers keep them, are closed: between two questions nobody misses them.
   */
  async drained(id: string, seconds: number, signal?: AbortSignal): Promise<void> {
    const start = this.#clock.now();
    const passed = () => (this.#clock.now() - start) / 1000;
    while (this.connectionsOf(id) > 0 && passed() < seconds + closingSeconds && !signal?.aborted) {
      if (passed() >= seconds) this.#closeQuiet(id, (passed() - seconds) / closingSeconds);
      await pause(this.#clock, 20, signal);
    }
  }

  #closeQuiet(id: string, progress: number): void {
    const quiet = Math.max(quietSeconds.atLast, quietSeconds.atFirst * (1 - progress));
    const latest = this.#clock.now() - quiet * 1000;
    for (const pair of this.#pairs)
      if (pair.backend === id && pair.answeredAt !== undefined && pair.answeredAt <= latest) endPair(pair);
  }

  /** Ends what is left of a backend's connections. */
  cut(id: string): void {
    for (const pair of this.#pairs) if (pair.backend === id) endPair(pair);
  }

  /** Takes no more connections; those that are open go on. */
  refuseNew(): void {
    for (const port of this.ports) this.#stopListening(port);
  }

  close(): void {
    this.refuseNew();
    for (const pair of this.#pairs) endPair(pair);
  }

  #stopListening(port: number): void {
    this.#servers.get(port)?.close();
    this.#servers.delete(port);
  }

  #listen(port: number): Promise<Server> {
    // Half-open: a client that has said all still gets its answer.
    const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
      void this.#forward(client, port);
    });
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(new Error(`Port ${port} of the instance cannot be held: ${error.code ?? error.message}.`)),
      );
      server.listen({ port, host: this.#address }, () => resolve(server));
    });
  }

  async #forward(client: Socket, port: number): Promise<void> {
    const pair: Pair = { backend: '', client, upstream: undefined, answeredAt: this.#clock.now() };
    this.#pairs.add(pair);
    client.on('close', () => this.#pairs.delete(pair));
    client.on('error', () => endPair(pair));
    const upstream = await this.#reach(pair, port);
    if (!upstream || client.destroyed) {
      upstream?.destroy();
      return endPair(pair);
    }
    pair.upstream = upstream;
    join(pair, upstream);
    client.on('data', () => (pair.answeredAt = undefined));
    upstream.on('data', () => (pair.answeredAt = this.#clock.now()));
  }

  /** Each try goes to the container that is active then: the one before may be gone for good. */
  async #reach(pair: Pair, port: number): Promise<Socket | undefined> {
    const end = this.#clock.now() + patienceSeconds * 1000;
    for (let backend = this.#active; backend && !pair.client.destroyed; backend = this.#active) {
      pair.backend = backend.id;
      const upstream = await connected(this.#clock, backend.host(), port);
      if (upstream || this.#clock.now() >= end) return upstream;
      await pause(this.#clock, betweenTriesSeconds * 1000);
      await backend.refresh().catch(() => undefined);
    }
    return undefined;
  }
}

function join(pair: Pair, upstream: Socket): void {
  const { client } = pair;
  upstream.on('error', () => endPair(pair));
  upstream.on('close', () => client.destroySoon());
  client.on('close', () => upstream.destroySoon());
  client.pipe(upstream);
  upstream.pipe(client);
}

function endPair({ client, upstream }: Pair): void {
  client.destroy();
  upstream?.destroy();
}

/** A connection, or undefined when nobody answers there. */
export const connected = (clock: Clock, host: string, port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true, keepAlive: true });
    const give = (result: Socket | undefined) => {
      cancel();
      if (!result) socket.destroy();
      resolve(result);
    };
    const cancel = clock.after(2000, () => give(undefined));
    // Stays after the connection is made, so that there is never a moment in which an error has no listener.
    socket.on('error', () => give(undefined));
    socket.once('connect', () => give(socket));
  });

import { connect, createServer, type Server, type Socket } from 'node:net';

/** One address before several registries: new connections go to the one that was chosen last. */
export class FrontDoor {
  readonly #server: Server;
  /** Each with the port behind it. */
  readonly #clients = new Map<Socket, number>();
  /** The port behind the address. 0: connections are accepted, and nothing answers. */
  target = 0;

  constructor() {
    this.#server = createServer((client) => {
      this.#clients.set(client, this.target);
      client.on('close', () => this.#clients.delete(client));
      if (this.target === 0) return void client.on('error', () => client.destroy());
      const upstream = connect(this.target, '127.0.0.1');
      client.on('error', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => client.destroy()).pipe(client);
    });
  }

  async listen(url: string): Promise<void> {
    const { hostname, port } = new URL(url);
    await new Promise<void>((done) => this.#server.listen(Number(port), hostname, done));
  }

  connectionsTo(port: number): number {
    return [...this.#clients.values()].filter((target) => target === port).length;
  }

  async close(): Promise<void> {
    for (const client of this.#clients.keys()) client.destroy();
    await new Promise((done) => this.#server.close(done));
  }
}

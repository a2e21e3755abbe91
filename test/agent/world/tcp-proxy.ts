import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy between an agent and a service. Can simulate a lost connection. */
export class TcpProxy {
  isOpen = true;
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      if (!this.isOpen) return void client.destroy();
      this.connections += 1;
      const upstream = connect(Number(target.port), target.hostname);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket)).on('error', () => this.#end(client, upstream));
      }
      client.pipe(upstream).pipe(client);
    });
  }

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  interrupt(): void {
    this.isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.interrupt();
    await new Promise((done) => this.#server.close(done));
  }

  #end(...sockets: Socket[]): void {
    for (const socket of sockets) socket.destroy();
  }
}

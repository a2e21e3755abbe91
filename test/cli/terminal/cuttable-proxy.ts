import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** TCP proxy to a server whose connections can be cut. */
export class CuttableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(url: string): Promise<CuttableProxy> {
    const { port } = new URL(url);
    const server = createServer((client) => {
      const upstream = connect({ port: Number(port), host: '127.0.0.1' });
      for (const socket of [client, upstream]) {
        proxy.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => proxy.#sockets.delete(socket));
      }
      client.pipe(upstream).pipe(client);
    });
    const proxy = new CuttableProxy(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get isUsed(): boolean {
    return this.#sockets.size > 0;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

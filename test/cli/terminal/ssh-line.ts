import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to a server that can be cut, as an address of its own. */
export class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(url: string): Promise<Line> {
    const { port } = new URL(url);
    const server = createServer((near) => {
      const far = connect({ port: Number(port), host: '127.0.0.1' });
      for (const socket of [near, far]) {
        line.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => line.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    const line = new Line(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return line;
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

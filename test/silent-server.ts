import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** Accepts connections and never answers. */
export class SilentServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
      socket.resume();
    });
  }

  static async onPort(): Promise<SilentServer> {
    const silent = new SilentServer();
    silent.#server.listen(0, '127.0.0.1');
    await once(silent.#server, 'listening');
    return silent;
  }

  static async onSocketIn(directory: string): Promise<SilentServer> {
    const silent = new SilentServer();
    silent.#server.listen(join(directory, 'silent.sock'));
    await once(silent.#server, 'listening');
    return silent;
  }

  get path(): string {
    return this.#server.address() as string;
  }

  get host(): string {
    const address = this.#server.address();
    return typeof address === 'object' ? `127.0.0.1:${address?.port}` : '';
  }

  /** Connections that are open now. */
  get callers(): number {
    return this.#sockets.size;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createSecureServer } from 'node:tls';

/** For a host that only these tests know; whoever trusts the certificate may name it in NODE_EXTRA_CA_CERTS. */
export const certificate = resolve('test/cli/tls/almanac.example.crt');

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;

const listening = async (server: NetServer): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
};

/** Ends TLS for a server that does not speak it. */
export async function secureFront(behind: number): Promise<NetServer> {
  const pem = (kind: string) => readFileSync(resolve(`test/cli/tls/almanac.example.${kind}`));
  const front = createSecureServer({ key: pem('key'), cert: pem('crt') }, (socket) => {
    const inner = connect(behind, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  await listening(front);
  return front;
}

interface Behind {
  /** Where requests for whatever host go, and where tunnels to whatever host lead. */
  plain?: number;
  tunnels?: number;
  /** Name and password it asks for. */
  wants?: string;
}

/** OUR OWN proxy, as the standard has it: it knows no names, and leads everybody to the same place. */
export class TestProxy {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();
  /** What it was asked for: `GET http://almanac.example/…`, `CONNECT almanac.example:443`. */
  readonly asked: string[] = [];
  url = '';

  private constructor(behind: Behind) {
    const isWelcome = ({ headers }: IncomingMessage): boolean =>
      behind.wants === undefined ||
      headers['proxy-authorization'] === `Basic ${Buffer.from(behind.wants).toString('base64')}`;
    this.#server = createServer((incoming, answer) => {
      this.asked.push(`${incoming.method} ${incoming.url}`);
      if (!isWelcome(incoming)) return void answer.writeHead(407).end('Who are you?');
      const { pathname, search } = new URL(incoming.url ?? '');
      const { 'proxy-authorization': _, ...headers } = incoming.headers;
      const options = {
        host: '127.0.0.1',
        port: behind.plain,
        path: pathname + search,
        method: incoming.method,
        headers,
      };
      const onward = request(options, (reply) =>
        reply.pipe(answer.writeHead(reply.statusCode ?? 502, reply.headers)),
      );
      onward.on('error', () => answer.writeHead(502).end());
      incoming.pipe(onward);
    });
    this.#server.on('connect', (incoming, socket) => {
      this.asked.push(`CONNECT ${incoming.url}`);
      this.#open.add(socket);
      if (!isWelcome(incoming)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      if (behind.tunnels === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const inner = connect(behind.tunnels, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      socket.pipe(inner).pipe(socket);
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
    });
  }

  static async start(behind: Behind): Promise<TestProxy> {
    const proxy = new TestProxy(behind);
    proxy.url = `http://127.0.0.1:${await listening(proxy.#server)}`;
    return proxy;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

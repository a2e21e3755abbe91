import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createSecureServer } from 'node:tls';

/** Certificate of a test host, to be trusted with NODE_EXTRA_CA_CERTS. */
export const certificate = resolve('test/cli/tls/almanac.example.crt');

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;

const listening = async (server: NetServer): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
};

/** Terminates TLS in front of a plain server. */
export async function tlsFront(port: number): Promise<NetServer> {
  const pem = (kind: string) => readFileSync(resolve(`test/cli/tls/almanac.example.${kind}`));
  const front = createSecureServer({ key: pem('key'), cert: pem('crt') }, (socket) => {
    const inner = connect(port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  await listening(front);
  return front;
}

interface ProxyOptions {
  /** Port that receives all plain requests, whatever their host. */
  plain?: number;
  /** Port that all tunnels lead to, whatever their host; without it, the proxy refuses tunnels. */
  tunnels?: number;
  /** Required user name and password. */
  credentials?: string;
  /** Accepts connections and never responds. */
  isSilent?: boolean;
}

/** A fake proxy for tests: resolves no names, and forwards everything to the same ports. */
export class TestProxy {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();
  /** Received requests: `GET http://almanac.example/…`, `CONNECT almanac.example:443`. */
  readonly requests: string[] = [];
  url = '';

  private constructor(options: ProxyOptions) {
    const isAuthorized = ({ headers }: IncomingMessage): boolean =>
      options.credentials === undefined ||
      headers['proxy-authorization'] === `Basic ${Buffer.from(options.credentials).toString('base64')}`;
    this.#server = createServer((incoming, answer) => {
      this.requests.push(`${incoming.method} ${incoming.url}`);
      if (!isAuthorized(incoming)) return void answer.writeHead(407).end('Authentication required');
      const { pathname, search } = new URL(incoming.url ?? '');
      const { 'proxy-authorization': _, ...headers } = incoming.headers;
      const forwarded = {
        host: '127.0.0.1',
        port: options.plain,
        path: pathname + search,
        method: incoming.method,
        headers,
      };
      const onward = request(forwarded, (reply) =>
        reply.pipe(answer.writeHead(reply.statusCode ?? 502, reply.headers)),
      );
      onward.on('error', () => answer.writeHead(502).end());
      incoming.pipe(onward);
    });
    this.#server.on('connect', (incoming, socket) => {
      this.requests.push(`CONNECT ${incoming.url}`);
      this.#open.add(socket);
      if (options.isSilent) return;
      if (!isAuthorized(incoming))
        return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      if (options.tunnels === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const inner = connect(options.tunnels, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      socket.pipe(inner).pipe(socket);
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
    });
  }

  static async start(options: ProxyOptions): Promise<TestProxy> {
    const proxy = new TestProxy(options);
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

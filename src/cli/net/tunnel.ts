import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as secure, type TLSSocket } from 'node:tls';
import { CliError } from '../cli-error.ts';
import { notReached, reasonOf } from './not-reached.ts';
import { hostOf, type Proxy, portOf } from './proxy.ts';
import type { Net, Transport } from './transport.ts';

export interface ProxyRoute {
  proxy: Proxy;
  to: URL;
  timeoutSeconds: number;
  signal?: AbortSignal | undefined;
}

/** Without what may be secret in it. */
const shown = ({ url }: Proxy): string => url.origin;

const withoutIt = ({ proxy, to }: ProxyRoute): string =>
  `It is named by ${proxy.variable}; to go without it: NO_PROXY=${to.hostname}`;

const proxyNotReached = (detour: ProxyRoute, error: unknown): CliError =>
  new CliError('noAnswer', `The proxy ${shown(detour.proxy)} was not reached: ${reasonOf(error)}.`, {
    hints: [withoutIt(detour)],
    cause: error,
  });

/** It answered itself, in the place of whom it was to lead to. */
function proxyRefused(detour: ProxyRoute, { statusCode = 0, statusMessage = '' }: IncomingMessage): CliError {
  const hints =
    statusCode === 407
      ? [`Its name and password: ${detour.proxy.variable}=http://<name>:<password>@${detour.proxy.url.host}`]
      : [];
  const status = `${statusCode} ${statusMessage}`.trim();
  return new CliError(
    'noAnswer',
    `The proxy ${shown(detour.proxy)} does not lead to ${detour.to.host}: ${status}.`,
    {
      hints: [...hints, withoutIt(detour)],
    },
  );
}

/** Who did not know that a % is written %25 meant it as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the proxy itself is told. */
function proxyHeaders({ url: { username, password } }: Proxy): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** How a request to the proxy begins, whatever is asked of it. */
const openProxy = ({ proxy, signal }: ProxyRoute, options: RequestOptions) =>
  (proxy.url.protocol === 'https:' ? secureRequest : plainRequest)({
    host: hostOf(proxy.url),
    port: portOf(proxy.url),
    agent: false,
    signal,
    ...options,
  });

/** A connection through the proxy, as bare as if it led there itself. */
function bareTunnel(system: Net, detour: ProxyRoute): Promise<Socket> {
  const path = `${detour.to.hostname}:${portOf(detour.to)}`;
  const headers = { host: path, 'user-agent': 'alm', ...proxyHeaders(detour.proxy) };
  const request = openProxy(detour, { method: 'CONNECT', path, headers });
  const late = new Error(`it gave no answer within ${detour.timeoutSeconds} s`);
  const cancel = system.clock.after(detour.timeoutSeconds * 1000, () => request.destroy(late));
  return new Promise<Socket>((resolve, reject) => {
    request.once('error', (error) => reject(detour.signal?.aborted ? error : proxyNotReached(detour, error)));
    request.once('connect', (answer, socket: Socket) => {
      if (String(answer.statusCode).startsWith('2')) return resolve(socket);
      socket.destroy();
      reject(proxyRefused(detour, answer));
    });
    request.end();
  }).finally(cancel);
}

/** A connection through the proxy; where the address is a secure one, only its end can read what passes. */
export async function tunnel(system: Net, detour: ProxyRoute): Promise<Socket | TLSSocket> {
  const socket = await bareTunnel(system, detour);
  if (!/^(?:https|wss):$/.test(detour.to.protocol)) return socket;
  const host = hostOf(detour.to);
  return secure({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

/** A secure address is reached by a tunnel; of any other the proxy is asked itself, which is how most of them want it. */
export async function wayThrough(system: Net, detour: ProxyRoute): Promise<Transport> {
  const { proxy, to } = detour;
  const failed = (error: unknown) => proxyNotReached(detour, error);
  if (to.protocol === 'https:') {
    const socket = await tunnel(system, detour);
    return {
      begin: (options) => secureRequest(to, { ...options, createConnection: () => socket }),
      failed: (error) => notReached(to, error),
    };
  }
  return {
    begin: ({ headers, ...options }) => {
      const all = { ...headers, host: to.host, ...proxyHeaders(proxy) };
      return openProxy(detour, { ...options, path: to.href, headers: all });
    },
    failed,
    refused: (answer) => (answer.statusCode === 407 ? proxyRefused(detour, answer) : null),
  };
}

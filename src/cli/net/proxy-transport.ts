import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { Clock } from '../../basics/clock.ts';
import { CliError } from '../cli-error.ts';
import { connectionError, reasonOf } from './connection-error.ts';
import { hostOf, type Proxy } from './proxy.ts';
import type { Transport } from './transport.ts';

export interface ProxyRoute {
  proxy: Proxy;
  to: URL;
  timeoutSeconds: number;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

const bypassHint = ({ proxy, to }: ProxyRoute): string =>
  `The proxy is set by ${proxy.variable}. To bypass it: NO_PROXY=${to.hostname}`;

const proxyUnreachable = (route: ProxyRoute, reason: string, cause: unknown): CliError =>
  new CliError('noAnswer', `Connection to proxy ${route.proxy.url.origin} failed: ${reason}.`, {
    hints: [bypassHint(route)],
    cause,
  });

/** The proxy answered itself instead of connecting to the server. */
function proxyRefused(route: ProxyRoute, statusCode: number, statusText: string): CliError {
  const { proxy, to } = route;
  const credentials = `Set its user name and password: ${proxy.variable}=http://<name>:<password>@${proxy.url.host}`;
  const status = `${statusCode} ${statusText}`.trim();
  return new CliError(
    'noAnswer',
    `Proxy ${proxy.url.origin} refused the connection to ${to.host}: ${status}.`,
    {
      hints: [...(statusCode === 407 ? [credentials] : []), bypassHint(route)],
    },
  );
}

/** Decodes a user name or password. A bare % is invalid in a URL but common in passwords: it is taken literally. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers for the proxy itself. */
function proxyHeaders({ url: { username, password } }: Proxy): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The agent would decode the credentials, and fail on a bare %: it gets them as a header. */
const withoutCredentials = ({ url }: Proxy): string => `${url.protocol}//${url.host}`;

type ConnectOptions = Parameters<HttpsProxyAgent<string>['connect']>[1];

/** The agent gives TLS no host for an IP address, so that the certificate would be checked for another name. */
function withServerIdentity(options: ConnectOptions, { to }: ProxyRoute): ConnectOptions {
  const host = hostOf(to);
  if (!options.secureEndpoint || isIP(host) === 0) return options;
  return { ...options, checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) };
}

/**
 * Agent that tunnels through the proxy with CONNECT. Any failure until the tunnel is open is an error of the proxy;
 * later failures are errors of the server.
 */
export class TunnelAgent extends HttpsProxyAgent<string> {
  readonly #route: ProxyRoute;
  readonly #deadline: AbortSignal;
  readonly #cancelDeadline: () => void;

  constructor(route: ProxyRoute) {
    const { proxy, signal, clock, timeoutSeconds } = route;
    const deadline = new AbortController();
    // The request cannot close a connection that it does not have yet: the agent closes it.
    super(withoutCredentials(proxy), {
      headers: { 'user-agent': 'alm', ...proxyHeaders(proxy) },
      signal: AbortSignal.any([deadline.signal, ...(signal ? [signal] : [])]),
    });
    this.#route = route;
    this.#deadline = deadline.signal;
    this.#cancelDeadline = clock.after(timeoutSeconds * 1000, () => deadline.abort());
  }

  override async connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    let [status, statusText] = [0, ''];
    request.once('proxyConnect', (response: { statusCode: number; statusText: string }) => {
      ({ statusCode: status, statusText } = response);
    });
    const socket = await this.#open(request, options);
    if (status === 200) return socket;
    socket.destroy();
    throw proxyRefused(this.#route, status, statusText);
  }

  async #open(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    const route = this.#route;
    try {
      return await super.connect(request, withServerIdentity(options, route));
    } catch (error) {
      if (route.signal?.aborted) throw error;
      const isLate = this.#deadline.aborted;
      throw proxyUnreachable(
        route,
        isLate ? `no response within ${route.timeoutSeconds} s` : reasonOf(error),
        error,
      );
    } finally {
      this.#cancelDeadline();
    }
  }
}

/** Reaches `https:` URLs through a tunnel. Requests for `http:` URLs go to the proxy itself, as most proxies expect. */
export function proxyTransport(route: ProxyRoute): Transport {
  const { proxy, to } = route;
  if (to.protocol === 'https:')
    return {
      start: (options) => httpsRequest(to, { ...options, agent: new TunnelAgent(route) }),
      toError: (error) => connectionError(to, error),
    };
  const request = proxy.url.protocol === 'https:' ? httpsRequest : httpRequest;
  return {
    start: ({ headers, ...options }) =>
      request(withoutCredentials(proxy), {
        ...options,
        agent: false,
        path: to.href,
        headers: { ...headers, host: to.host, ...proxyHeaders(proxy) },
      }),
    toError: (error) => proxyUnreachable(route, reasonOf(error), error),
    proxyErrorIn: ({ statusCode, statusMessage = '' }) =>
      statusCode === 407 ? proxyRefused(route, statusCode, statusMessage) : null,
  };
}

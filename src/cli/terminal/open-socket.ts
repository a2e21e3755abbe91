import type { Agent, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { CliError } from '../cli-error.ts';
import { ApiError } from '../net/api-error.ts';
import { readBody } from '../net/http.ts';
import { proxyFor } from '../net/proxy.ts';
import type { NetContext } from '../net/transport.ts';

/** A frame of the service has less. */
const largestFrame = 4 * 1024 * 1024;

const notOpened = (url: URL, error: Error): CliError =>
  new CliError(
    'noAnswer',
    `The terminal at ${url.origin} was not reached: ${error.message || 'no answer'}.`,
    {
      hints: [
        'A proxy before the service must let WebSockets through.',
        'Where terminals have an address of their own: --surl <address>',
      ],
      cause: error,
    },
  );

async function refusalOf(message: IncomingMessage, url: URL): Promise<CliError> {
  const { statusCode: status = 0, statusMessage = '', headers } = message;
  const statusLine = `${status} ${statusMessage}`.trim();
  const text = await readBody({ status, statusLine, headers, body: message }, url);
  return new ApiError({ status, statusLine, text });
}

async function proxyAgent(
  { env, clock }: NetContext,
  to: URL,
  timeoutSeconds: number,
): Promise<Agent | null> {
  const proxy = proxyFor(env, to);
  if (!proxy) return null;
  const { TunnelAgent } = await import('../net/proxy-transport.ts');
  return new TunnelAgent({ proxy, to, timeoutSeconds, clock });
}

/** Paused: nothing is missed until somebody listens. The address has a ticket in it, so no error may show it. */
export async function openSocket(system: NetContext, url: URL, timeoutSeconds: number): Promise<WebSocket> {
  const agent = await proxyAgent(system, url, timeoutSeconds);
  const socket = new WebSocket(url, {
    ...(agent ? { agent } : {}),
    perMessageDeflate: false,
    handshakeTimeout: timeoutSeconds * 1000,
    maxPayload: largestFrame,
    headers: { 'user-agent': 'alm' },
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
    socket.once('unexpected-response', (request, message) => {
      void refusalOf(message, url)
        .then(reject, reject)
        .finally(() => request.destroy());
    });
    socket.on('error', (error) => reject(error instanceof CliError ? error : notOpened(url, error))); // afterwards it closes as well, which is heard
  });
}

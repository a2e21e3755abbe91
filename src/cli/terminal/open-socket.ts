import type { Agent, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { CliError } from '../cli-error.ts';
import { ApiError } from '../net/api-error.ts';
import { readBody } from '../net/http.ts';
import { proxyFor } from '../net/proxy.ts';
import type { NetContext } from '../net/transport.ts';

/** Frames of the service are smaller. */
const maxFrameBytes = 4 * 1024 * 1024;

const connectionFailed = (url: URL, error: Error): CliError =>
  new CliError(
    'noAnswer',
    `Could not connect to the terminal at ${url.origin}: ${error.message || 'no response'}.`,
    {
      hints: [
        'A proxy in front of the service must allow WebSockets.',
        'If terminals have a separate address: --surl <address>',
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

/** An agent for the proxy of the environment; null without a proxy. */
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

/** Opens a paused socket, so that no message is lost before the session reads. The URL contains a ticket: errors must not show it. */
export async function openSocket(system: NetContext, url: URL, timeoutSeconds: number): Promise<WebSocket> {
  const agent = await proxyAgent(system, url, timeoutSeconds);
  const socket = new WebSocket(url, {
    ...(agent ? { agent } : {}),
    perMessageDeflate: false,
    handshakeTimeout: timeoutSeconds * 1000,
    maxPayload: maxFrameBytes,
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
    // A later error also closes the socket, which the session handles.
    socket.on('error', (error) => reject(error instanceof CliError ? error : connectionFailed(url, error)));
  });
}

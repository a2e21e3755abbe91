import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { CliError } from '../cli-error.ts';
import { textOf } from '../net/http.ts';
import { proxyFor } from '../net/proxy.ts';
import { Refused } from '../net/refused.ts';
import type { Net } from '../net/transport.ts';
import { tunnel } from '../net/tunnel.ts';

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
  const text = await textOf({ status, statusLine, headers, body: message }, url);
  return new Refused({ status, statusLine, text });
}

/** Paused: nothing is missed until somebody listens. The address has a ticket in it, so no error may show it. */
export async function openSocket(system: Net, url: URL, timeoutSeconds: number): Promise<WebSocket> {
  const proxy = proxyFor(system.env, url);
  const tunnelled = proxy ? await tunnel(system, { proxy, to: url, timeoutSeconds }) : null;
  const socket = new WebSocket(url, {
    ...(tunnelled ? { createConnection: () => tunnelled } : {}),
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
    socket.on('error', (error) => reject(notOpened(url, error))); // afterwards it closes as well, which is heard
  });
}

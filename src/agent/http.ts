import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Clock } from '../basics/clock.ts';

export interface HttpRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Connects here instead of to the address's host. */
  socketPath?: string | undefined;
  timeoutSeconds?: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const maxBytes = 512 * 1024 * 1024;

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const optionsOf = (request: HttpRequest): RequestOptions => ({
  method: request.method ?? 'GET',
  headers: {
    ...request.headers,
    ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
  },
  ...(request.socketPath === undefined ? {} : { socketPath: request.socketPath }),
  // No pool: the agent asks seldom, and a kept connection may have died without a word.
  agent: false,
});

/** One request and its whole answer, over TCP, TLS or a unix socket. Node 18 has no `fetch` for the last. */
export function http(clock: Clock, address: string, given: HttpRequest = {}): Promise<HttpAnswer> {
  const url = new URL(address);
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  const seconds = given.timeoutSeconds ?? 30;
  return new Promise((resolve, reject) => {
    const request = send(url, optionsOf(given), (message) => {
      collect(message)
        .then((body) => resolve({ status: message.statusCode ?? 0, headers: message.headers, body }), reject)
        .finally(cancel);
    });
    const cancel = clock.after(seconds * 1000, () =>
      request.destroy(new Error(`${url.host} did not answer within ${seconds} s.`)),
    );
    request.on('error', (error) => {
      cancel();
      reject(error);
    });
    request.end(given.body);
  });
}

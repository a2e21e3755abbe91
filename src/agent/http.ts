import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Clock } from '../basics/clock.ts';

interface HttpRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Connects to this socket instead of the URL's host. */
  socketPath?: string | undefined;
  timeoutSeconds?: number;
  signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const maxBytes = 512 * 1024 * 1024;

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes.`);
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
  // No connection pool: requests are rare, and a pooled connection may be dead without notice.
  agent: false,
  ...(request.signal ? { signal: request.signal } : {}),
});

/** Sends one request and reads the response, over TCP, TLS or a unix socket, which `fetch` of Node 18 does not support. */
export function http(clock: Clock, address: string, options: HttpRequest = {}): Promise<HttpResponse> {
  const url = new URL(address);
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  const seconds = options.timeoutSeconds ?? 30;
  return new Promise((resolve, reject) => {
    const request = send(url, optionsOf(options), (message) => {
      readBody(message)
        .then((body) => resolve({ status: message.statusCode ?? 0, headers: message.headers, body }), reject)
        .finally(cancel);
    });
    const cancel = clock.after(seconds * 1000, () =>
      request.destroy(new Error(`${url.host} timed out after ${seconds} s.`)),
    );
    request.on('error', (error) => {
      cancel();
      reject(error);
    });
    request.end(options.body);
  });
}

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { EngineError, EngineUnreachable } from './errors.ts';

/** One call on the engine's interface. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** A tar archive, where a call takes one. */
  archive?: Buffer | Readable;
  headers?: Readonly<Record<string, string>>;
  /** Given up after so long without a byte; 0: never. */
  silenceMs?: number;
  signal?: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Readable;
  /** Where the engine handed the connection over: what is written to it reaches the process. */
  connection?: Duplex;
}

const defaultSilenceMs = 60_000;

export const callName = ({ method, path }: Call): string => `${method} ${path}`;

const headersOf = (call: Call, body: Buffer | Readable | undefined): Record<string, string | number> => ({
  ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
  ...(call.archive === undefined ? {} : { 'content-type': 'application/x-tar' }),
  ...(Buffer.isBuffer(body) ? { 'content-length': body.length } : {}),
  ...call.headers,
});

const bodyOf = (call: Call): Buffer | Readable | undefined =>
  call.json === undefined ? call.archive : Buffer.from(JSON.stringify(call.json));

const addressOf = ({ path, query }: Call, prefix: string): string =>
  query ? `${prefix}${path}?${new URLSearchParams(query).toString()}` : `${prefix}${path}`;

/** Any reply, whatever its status. A connection for each call: a kept one may be closed under our hands. */
function exchange(socketPath: string, prefix: string, call: Call): Promise<Reply> {
  const body = bodyOf(call);
  const silenceMs = call.silenceMs ?? defaultSilenceMs;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      socketPath,
      method: call.method,
      path: addressOf(call, prefix),
      headers: headersOf(call, body),
      agent: false,
      timeout: silenceMs,
      ...(call.signal ? { signal: call.signal } : {}),
    });
    request.on('response', (response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
    );
    request.on('upgrade', (response, connection, head) => {
      connection.unshift(head);
      resolve({ status: 101, headers: response.headers, body: connection, connection });
    });
    request.on('timeout', () => request.destroy(new Error(`silent for ${silenceMs / 1000} s`)));
    request.on('error', (error) => reject(brokenOff(call, error)));
    if (body instanceof Readable) body.on('error', (error) => request.destroy(error)).pipe(request);
    else request.end(body);
  });
}

/** What the caller broke off is not the engine's trouble. */
function brokenOff(call: Call, error: unknown): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  const why = error instanceof Error ? error.message : String(error);
  return new EngineUnreachable(`The container engine did not answer ${callName(call)}: ${why}`, error);
}

export async function* chunksOf(call: Call, body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    throw brokenOff(call, error);
  }
}

export async function bytesOf(call: Call, body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(call, body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Docker says `message`; Podman may say more in `cause`, but repeats it in `message`. */
function messageIn(text: string, status: number): string {
  try {
    const { message } = JSON.parse(text) as { message?: string };
    if (message) return message;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim() || `status ${status}`;
}

/** A good reply, or an error that carries the engine's words. */
export async function send(socketPath: string, prefix: string, call: Call): Promise<Reply> {
  const reply = await exchange(socketPath, prefix, call);
  if (reply.status < 400) return reply;
  const text = (await bytesOf(call, reply.body)).toString();
  throw new EngineError(reply.status, messageIn(text, reply.status), callName(call));
}

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { callEndpoint, extendCallLimit } from '../basics/calls/call-limit.ts';
import { EngineError, EngineUnreachable } from './errors.ts';

/** One request to the engine. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** A tar archive as the body. */
  archive?: Buffer | Readable;
  headers?: Readonly<Record<string, string>>;
  /** Timeout without a byte received; 0: none. */
  idleTimeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Readable;
  /** The upgraded connection: its input goes to the process. */
  connection?: Duplex;
}

const defaultIdleTimeoutMs = 60_000;

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

/** Some calls take long, such as stopping a container. */
function exchange(socketPath: string, prefix: string, call: Call): Promise<Reply> {
  if (call.idleTimeoutMs !== undefined) extendCallLimit(call.idleTimeoutMs);
  return callEndpoint({ vendor: 'docker', host: socketPath }, (limit) => {
    const signals = [call.signal, limit].filter((it) => it !== undefined);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    return exchangeOn(socketPath, prefix, { ...call, signal });
  });
}

/** A reply with any status. Opens a connection per request: the engine may close a kept one at any time. */
function exchangeOn(socketPath: string, prefix: string, call: Call): Promise<Reply> {
  const body = bodyOf(call);
  const timeout = call.idleTimeoutMs ?? defaultIdleTimeoutMs;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      socketPath,
      method: call.method,
      path: addressOf(call, prefix),
      headers: headersOf(call, body),
      agent: false,
      timeout,
      ...(call.signal ? { signal: call.signal } : {}),
    });
    request.on('response', (response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
    );
    request.on('upgrade', (response, connection, head) => {
      connection.unshift(head);
      resolve({ status: 101, headers: response.headers, body: connection, connection });
    });
    request.on('timeout', () => request.destroy(noData(timeout)));
    request.on('error', (error) => reject(unreachable(call, error)));
    if (body instanceof Readable) body.on('error', (error) => request.destroy(error)).pipe(request);
    else request.end(body);
  });
}

const noData = (timeout: number): Error =>
  Object.assign(new Error(`no data for ${timeout / 1000} s`), { code: 'ETIMEDOUT' });

/** An abort by the caller is not an error of the engine. */
function unreachable(call: Call, error: unknown): unknown {
  if (call.signal?.aborted) return call.signal.reason;
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineUnreachable(`The container engine did not respond to ${callName(call)}: ${reason}`, error);
}

export async function* chunksOf(call: Call, body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    throw unreachable(call, error);
  }
}

export async function bytesOf(call: Call, body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(call, body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Docker and Podman have a `message`; Podman's `cause` only repeats a part of it. */
function parseMessage(text: string, status: number): string {
  try {
    const { message } = JSON.parse(text) as { message?: string };
    if (message) return message;
  } catch {
    // Not JSON: use the text.
  }
  return text.trim() || `status ${status}`;
}

/** A successful reply. Throws an `EngineError` with the engine's message otherwise. */
export async function send(socketPath: string, prefix: string, call: Call): Promise<Reply> {
  const reply = await exchange(socketPath, prefix, call);
  if (reply.status < 400) return reply;
  const text = (await bytesOf(call, reply.body)).toString();
  throw new EngineError(reply.status, parseMessage(text, reply.status), callName(call));
}

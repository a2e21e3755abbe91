import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../../basics/clock.ts';
import { CliError } from '../cli-error.ts';
import { connectionError } from './connection-error.ts';
import type { HttpRequest, NetContext, Transport } from './transport.ts';

export interface HttpResponse {
  status: number;
  /** `201 Created` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

/** Hint after a lost response; reads can simply be repeated. */
export const maybeProcessed = (method: string): string[] =>
  method === 'GET' ? [] : ['The request may have been processed: check before you retry.'];

const timeoutError = ({ url, method, timeoutSeconds }: HttpRequest): CliError =>
  new CliError('noAnswer', `Timeout: no response from ${url.origin} within ${timeoutSeconds} s.`, {
    hints: [...maybeProcessed(method), 'To wait longer: --timeout <seconds>'],
  });

const isProxyVariable = (name: string): boolean => /^(?:https?|all)_proxy$/i.test(name);

/** Loads modules only when they are used: TLS takes a fifth of the start-up, and many commands send no requests. */
async function transportFor(context: NetContext, request: HttpRequest): Promise<Transport> {
  const { url, timeoutSeconds, signal } = request;
  if (Object.keys(context.env).some(isProxyVariable)) {
    const proxy = (await import('./proxy.ts')).proxyFor(context.env, url);
    if (proxy) {
      const { proxyTransport } = await import('./proxy-transport.ts');
      return proxyTransport({ proxy, to: url, timeoutSeconds, signal, clock: context.clock });
    }
  }
  const { request: start } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return {
    start: (options) => start(url, { ...options, agent: false }),
    toError: (error) => connectionError(url, error),
  };
}

/** A token from a file or a variable may end with a newline or contain other invalid characters. */
function checkHeaders(headers: HttpRequest['headers']): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(value))
      throw new CliError('usage', `Invalid characters in the ${name} header.`, {
        hints: name === 'authorization' ? ['Check the token: --token, ALM_TOKEN, or alm login'] : [],
      });
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Sends a request. Uses `node:http`: loading `fetch` takes longer than the rest of a short command. */
export async function send(context: NetContext, request: HttpRequest): Promise<HttpResponse> {
  const { method, headers, body, signal, timeoutSeconds } = request;
  checkHeaders(headers);
  const transport = await transportFor(context, request);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = transport.start({ method, headers: { ...headers, ...length }, signal });
    let response: IncomingMessage | undefined;
    const giveUp = () => (response ?? outgoing).destroy(timeoutError(request));
    const cancel = context.clock.after(timeoutSeconds * 1000, giveUp);
    outgoing.once('error', (error) => {
      cancel();
      reject(signal?.aborted || error instanceof CliError ? error : transport.toError(error));
    });
    outgoing.once('response', (message) => {
      response = message;
      const status = message.statusCode ?? 0;
      if (request.streaming && isSuccess(status)) cancel();
      message.once('close', cancel);
      const proxyError = transport.proxyErrorIn?.(message);
      if (proxyError) {
        message.destroy();
        return reject(proxyError);
      }
      const statusLine = `${status} ${message.statusMessage ?? ''}`.trim();
      resolve({ status, statusLine, headers: message.headers, body: message });
    });
    outgoing.end(body);
  });
}

/** Chunks of a streamed response. Fails after a time of silence: a dead connection is not always reported. */
export async function* chunksOf<Chunk extends Buffer | string>(
  clock: Clock,
  body: IncomingMessage,
  seconds: number,
): AsyncGenerator<Chunk> {
  const giveUp = () => void body.destroy(new CliError('noAnswer', `No data received for ${seconds} s.`));
  let cancel = clock.after(seconds * 1000, giveUp);
  try {
    for await (const chunk of body as AsyncIterable<Chunk>) {
      cancel();
      yield chunk;
      cancel = clock.after(seconds * 1000, giveUp);
    }
  } finally {
    cancel();
  }
}

/** Reads the complete body. */
export async function readBody({ body }: HttpResponse, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw connectionError(url, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../../basics/clock.ts';
import { CliError } from '../cli-error.ts';
import { notReached } from './not-reached.ts';
import type { Net, Sent, Transport } from './transport.ts';

export interface Received {
  status: number;
  /** `201 Created` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

/** Who only reads may simply read again. */
export const maybeDone = (method: string): string[] =>
  method === 'GET' ? [] : ['It may have been done all the same: look before you repeat it.'];

const tooSlow = ({ url, method, timeoutSeconds }: Sent): CliError =>
  new CliError('noAnswer', `${url.origin} gave no answer within ${timeoutSeconds} s.`, {
    hints: [...maybeDone(method), 'More time: --timeout <seconds>'],
  });

const namesProxy = (name: string): boolean => /^(?:https?|all)_proxy$/i.test(name);

/** Loaded only where it is needed: TLS costs a fifth of the start, and many commands ask nobody. */
async function wayTo(system: Net, sent: Sent): Promise<Transport> {
  const { url, timeoutSeconds, signal } = sent;
  if (Object.keys(system.env).some(namesProxy)) {
    const proxy = (await import('./proxy.ts')).proxyFor(system.env, url);
    if (proxy)
      return (await import('./tunnel.ts')).wayThrough(system, { proxy, to: url, timeoutSeconds, signal });
  }
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return {
    begin: (options) => request(url, { ...options, agent: false }),
    failed: (error) => notReached(url, error),
  };
}

/** A token from a file or a variable may bring a line's end, or worse, along. */
function mustBeSendable(headers: Sent['headers']): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(value))
      throw new CliError('usage', `What is to be sent as ${name} has signs in it that cannot be sent.`, {
        hints: name === 'authorization' ? ['Look at the token: --token, ALM_TOKEN, or: alm login'] : [],
      });
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One request. Node's `fetch` would cost more than all the rest of a short command. */
export async function send(system: Net, sent: Sent): Promise<Received> {
  const { method, headers, body, signal, timeoutSeconds } = sent;
  mustBeSendable(headers);
  const way = await wayTo(system, sent);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = way.begin({ method, headers: { ...headers, ...length }, signal });
    let answer: IncomingMessage | undefined;
    const giveUp = () => (answer ?? request).destroy(tooSlow(sent));
    const cancel = system.clock.after(timeoutSeconds * 1000, giveUp);
    request.once('error', (error) => {
      cancel();
      reject(signal?.aborted || error instanceof CliError ? error : way.failed(error));
    });
    request.once('response', (message) => {
      answer = message;
      const status = message.statusCode ?? 0;
      if (sent.streaming && isSuccess(status)) cancel();
      message.once('close', cancel);
      const refusal = way.refused?.(message);
      if (refusal) {
        message.destroy();
        return reject(refusal);
      }
      const statusLine = `${status} ${message.statusMessage ?? ''}`.trim();
      resolve({ status, statusLine, headers: message.headers, body: message });
    });
    request.end(body);
  });
}

/** What comes, piece by piece. Silence for so long ends it: a line can be dead without saying so. */
export async function* piecesOf<Piece extends Buffer | string>(
  clock: Clock,
  body: IncomingMessage,
  seconds: number,
): AsyncGenerator<Piece> {
  const giveUp = () => void body.destroy(new CliError('noAnswer', `Nothing was heard for ${seconds} s.`));
  let cancel = clock.after(seconds * 1000, giveUp);
  try {
    for await (const piece of body as AsyncIterable<Piece>) {
      cancel();
      yield piece;
      cancel = clock.after(seconds * 1000, giveUp);
    }
  } finally {
    cancel();
  }
}

/** The whole answer. */
export async function textOf({ body }: Received, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw notReached(url, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

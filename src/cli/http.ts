import type { IncomingHttpHeaders, IncomingMessage, request } from 'node:http';
import type { Clock } from '../basics/clock.ts';
import { Trouble } from './trouble.ts';

export interface Sent {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  timeoutSeconds: number;
  /** For answers that go on and on: time counts only until they begin. */
  streaming?: boolean;
  signal?: AbortSignal | undefined;
}

export interface Received {
  status: number;
  /** `201 Created` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no machine has that name',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it did not take the connection',
  EPIPE: 'the connection was cut',
  EPROTO: 'it does not speak TLS there; is it http://?',
  HPE_INVALID_CONSTANT: 'what answers there does not speak HTTP; is it https://?',
  HPE_INVALID_HEADER_TOKEN: 'what answers there does not speak HTTP',
};

const isCertificateTrouble = (code: string): boolean => /CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY/.test(code);

/** Why there was no answer, in words. */
function notReached(url: URL, error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = reasons[code] ?? (error instanceof Error ? error.message || code : String(error));
  const hints = isCertificateTrouble(code)
    ? ['Trust its certificate: NODE_EXTRA_CA_CERTS=<file> alm …']
    : ['Is it running? Another address: --url, ALM_URL, or: alm login --url <address>'];
  return new Trouble('noAnswer', `${url.origin} was not reached: ${why}.`, { hints, cause: error });
}

/** Who only reads may simply read again. */
export const maybeDone = (method: string): string[] =>
  method === 'GET' ? [] : ['It may have been done all the same: look before you repeat it.'];

const tooSlow = ({ url, method, timeoutSeconds }: Sent): Trouble =>
  new Trouble('noAnswer', `${url.origin} gave no answer within ${timeoutSeconds} s.`, {
    hints: [...maybeDone(method), 'More time: --timeout <seconds>'],
  });

/** Loaded only where it is needed: TLS costs a fifth of the start, and many commands ask nobody. */
const requestOf = async (url: URL): Promise<typeof request> =>
  (url.protocol === 'https:' ? await import('node:https') : await import('node:http')).request;

/** A token from a file or a variable may bring a line's end, or worse, along. */
function mustBeSendable(headers: Sent['headers']): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(value))
      throw new Trouble('usage', `What is to be sent as ${name} has signs in it that cannot be sent.`, {
        hints: name === 'authorization' ? ['Look at the token: --token, ALM_TOKEN, or: alm login'] : [],
      });
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One request. Node's `fetch` would cost more than all the rest of a short command. */
export async function send(clock: Clock, sent: Sent): Promise<Received> {
  const { url, method, headers, body, signal, timeoutSeconds } = sent;
  const open = await requestOf(url);
  mustBeSendable(headers);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = open(url, { method, headers: { ...headers, ...length }, agent: false, signal });
    let answer: IncomingMessage | undefined;
    const giveUp = () => (answer ?? request).destroy(tooSlow(sent));
    const cancel = clock.after(timeoutSeconds * 1000, giveUp);
    request.once('error', (error) => {
      cancel();
      reject(signal?.aborted ? error : notReached(url, error));
    });
    request.once('response', (message) => {
      answer = message;
      const status = message.statusCode ?? 0;
      if (sent.streaming && isSuccess(status)) cancel();
      message.once('close', cancel);
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
  const giveUp = () => void body.destroy(new Trouble('noAnswer', `Nothing was heard for ${seconds} s.`));
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

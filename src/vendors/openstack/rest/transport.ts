import { callEndpoint } from '../../../basics/calls/call-limit.ts';
import { Unreachable } from '../../vendor.ts';
import { CloudError, doesNameMissing, readError } from '../errors.ts';

/** `fetch` of the platform; tests put faults in front of it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transfer {
  service: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  token?: string;
  body?: unknown;
  /** The version of an interface that the answer follows, such as `compute 2.47`. */
  microversion?: string;
}

export interface Reply {
  body: unknown;
  headers: Headers;
}

/** Reports a cloud that does not answer soon. Heat itself gives up after a minute if none of its engines runs. */
const timeoutMs = 20_000;
/** Far more than a page of 1000 servers has. */
const maxBodyBytes = 64 * 1024 * 1024;

const headersOf = ({ token, body, microversion }: Transfer): Record<string, string> => ({
  accept: 'application/json',
  'user-agent': 'almanac',
  ...(token === undefined ? {} : { 'x-auth-token': token }),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(microversion === undefined ? {} : { 'openstack-api-version': microversion }),
});

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBodyBytes) throw new Unreachable(`The answer has more than ${maxBodyBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const parsed = (text: string): unknown => {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `fetch` wraps the reason of a failed connection. */
const causeOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message || error.message : error.message;

const noAnswer = ({ service, url }: Transfer, error: Error): Unreachable => {
  const { origin } = new URL(url);
  const reason = error.name === 'TimeoutError' ? `no answer in ${timeoutMs / 1000} seconds` : causeOf(error);
  return new Unreachable(`Service ${service} at ${origin} does not answer: ${reason}`, { cause: error });
};

interface Exchanged {
  response: Response;
  text: string;
}

const exchange = (fetch: Fetch, transfer: Transfer): Promise<Exchanged> =>
  callEndpoint({ vendor: 'openstack', host: new URL(transfer.url).host }, (signal) =>
    exchangeUntil(signal, fetch, transfer),
  );

async function exchangeUntil(
  signal: AbortSignal | undefined,
  fetch: Fetch,
  transfer: Transfer,
): Promise<Exchanged> {
  const { url, method, body } = transfer;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: headersOf(transfer),
      body: body === undefined ? null : JSON.stringify(body),
      // A stack is asked for by name and id: Heat redirects only requests with one of them.
      redirect: 'error',
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    return { response, text: await readText(response) };
  } catch (cause) {
    const isOutage = cause instanceof TypeError || (cause instanceof Error && cause.name === 'TimeoutError');
    throw isOutage ? noAnswer(transfer, cause) : cause;
  }
}

/** Heat says this if a request made one of its other parts fail. It has no more to say, and may not do so again. */
const isRemoteError = ({ type }: CloudError): boolean => type === 'RemoteError';

const isOutage = (error: CloudError): boolean =>
  error.status === 429 || error.status === 408 || (error.status >= 500 && !isRemoteError(error));

/** Sends a request and reads the whole answer. Throws `CloudError` if the cloud rejects it, and `Unreachable` for an outage. */
export async function send(fetch: Fetch, transfer: Transfer): Promise<Reply> {
  const { response, text } = await exchange(fetch, transfer);
  const body = parsed(text);
  if (response.ok && body !== undefined) return { body, headers: response.headers };
  const { service } = transfer;
  if (response.ok) throw new Unreachable(`Service ${service} answers with a text that is not JSON`);
  const reason = { ...readError(body, text), namesMissing: doesNameMissing(body) };
  const error = new CloudError(service, response.status, reason);
  throw isOutage(error)
    ? new Unreachable(`Service ${service} answers ${error.status}: ${error.message}`, { cause: error })
    : error;
}

import { createHash, createHmac } from 'node:crypto';
import { byText, sorted } from '../sorted.ts';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export interface ToSign {
  method: string;
  url: string;
  service: string;
  region: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Milliseconds since 1970. */
  now: number;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** RFC 3986, which escapes more than `encodeURIComponent` does. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const escapePath = (path: string): string =>
  path
    .split('/')
    .map((part) => escape(decodeURIComponent(part)))
    .join('/');

const canonicalQuery = (url: URL): string =>
  sorted(
    [...url.searchParams].map(([name, value]) => `${escape(name)}=${escape(value)}`),
    byText,
  ).join('&');

const canonicalHeaders = (headers: Readonly<Record<string, string>>): [name: string, value: string][] =>
  sorted(
    Object.entries(headers).map(([name, value]): [string, string] => [
      name.toLowerCase(),
      value.trim().replaceAll(/\s+/g, ' '),
    ]),
    ([one], [other]) => byText(one, other),
  );

/** AWS Signature Version 4: the headers to send, `authorization` among them. */
export function signAws(keys: AwsKeys, request: ToSign): Record<string, string> {
  const url = new URL(request.url);
  const time = new Date(request.now).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const digest = sha256(request.body ?? '');
  const sent: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    ...(request.service === 's3' ? { 'x-amz-content-sha256': digest } : {}),
    ...(keys.sessionToken ? { 'x-amz-security-token': keys.sessionToken } : {}),
  };
  const headers = canonicalHeaders({ host: url.host, ...sent });
  const signed = headers.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    escapePath(url.pathname),
    canonicalQuery(url),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    signed,
    digest,
  ].join('\n');
  const scope = `${day}/${request.region}/${request.service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const steps = [request.region, request.service, 'aws4_request'];
  const key = steps.reduce<Buffer>(hmac, hmac(`AWS4${keys.secretAccessKey}`, day));
  const signature = hmac(key, text).toString('hex');
  const credential = `Credential=${keys.accessKeyId}/${scope}`;
  sent.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signed}, Signature=${signature}`;
  return sent;
}

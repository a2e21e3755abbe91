import { createHash, createHmac } from 'node:crypto';
import type { AwsKeys } from './sigv4.ts';

interface AcsRequest {
  method: string;
  /** With its query, whose members must be sorted and percent-encoded: see `queryText`. */
  url: string;
  action: string;
  version: string;
  body?: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Different for every request. */
  nonce: string;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 3986: more characters than `encodeURIComponent` encodes. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The query of a request, in the form that is signed. */
export const queryText = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');

/** The format of `x-acs-date`: 2026-01-02T03:04:05Z. */
const formatDate = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}/, '');

/** Signs a request to Alibaba Cloud with ACS3-HMAC-SHA256. Returns the headers to send, with lower-case names. */
export function signAcs3(keys: AwsKeys, request: AcsRequest): Record<string, string> {
  const { method, action, version, body = '', now, nonce } = request;
  const url = new URL(request.url);
  const headers: Record<string, string> = {
    'x-acs-action': action,
    'x-acs-content-sha256': hash(body),
    'x-acs-date': formatDate(now),
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
    ...(keys.sessionToken ? { 'x-acs-security-token': keys.sessionToken } : {}),
  };
  const signed = Object.entries({ ...headers, host: url.host }).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    signed.map(([name, value]) => `${name}:${value}\n`).join(''),
    names,
    hash(body),
  ].join('\n');
  const signature = createHmac('sha256', keys.secretAccessKey)
    .update(`ACS3-HMAC-SHA256\n${hash(canonical)}`)
    .digest('hex');
  const authorization = `ACS3-HMAC-SHA256 Credential=${keys.accessKeyId},SignedHeaders=${names},Signature=${signature}`;
  return { ...headers, authorization };
}

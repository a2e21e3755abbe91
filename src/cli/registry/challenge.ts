import type { IncomingHttpHeaders } from 'node:http';

/** Response of a registry to a missing or rejected token. */
export interface Challenge {
  /** Address of the token service. */
  realm: string;
  /** Service name of the registry. */
  service?: string;
  /** Why the token was rejected: `insufficient_scope`, `invalid_token`. */
  error?: string;
}

/** Parses `WWW-Authenticate: Bearer realm="…",service="…"`; null when no bearer token is required. */
export function challengeOf(headers: IncomingHttpHeaders): Challenge | null {
  const bearer = /\bBearer\s+(.*)$/is.exec(headers['www-authenticate'] ?? '');
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of (bearer?.[1] ?? '').matchAll(
    /(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g,
  )) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
  }
  const realm = found.get('realm');
  if (realm === undefined) return null;
  const service = found.get('service');
  const error = found.get('error');
  return { realm, ...(service === undefined ? {} : { service }), ...(error === undefined ? {} : { error }) };
}

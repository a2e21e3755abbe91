import type { IncomingHttpHeaders } from 'node:http';

/** What a registry says to those who come without a token, or with one it does not take. */
export interface Challenge {
  /** Where tokens are given. */
  realm: string;
  /** What the registry calls itself. */
  service?: string;
  /** Why the token was not taken: `insufficient_scope`, `invalid_token`. */
  error?: string;
}

/** From `WWW-Authenticate: Bearer realm="…",service="…"`; null when no token is asked for. */
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

import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../basics/failure.ts';
import type { Route } from '../../contract/route.ts';

/** Browsers accept the prefixed name only over https, from this very host: no other host of the domain can set it. */
const secureName = '__Host-alm';
const plainName = 'alm';

type PageHeaders = Pick<IncomingHttpHeaders, 'origin' | 'host'> & {
  'sec-fetch-site'?: string | string[] | undefined;
};

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
const isHttps = (url: string): boolean => url.startsWith('https:');

/** Whether the browser uses https: it says so itself, also behind a proxy that this server does not know of. */
export const isSecurePage = ({ origin }: PageHeaders, baseUrl: string): boolean => isHttps(origin ?? baseUrl);

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether the address that the browser uses never leaves its machine. */
export function isLoopbackPage({ origin, host = '' }: PageHeaders): boolean {
  const url = origin ?? `http://${host}`;
  return URL.canParse(url) && loopback.test(new URL(url).hostname);
}

/** Whether the cookie that this page would get never counts, see `tokenIn`. */
export const isCookieIgnored = (headers: PageHeaders, baseUrl: string): boolean =>
  isHttps(baseUrl) && !isSecurePage(headers, baseUrl);

/** An empty token deletes the cookie. */
export function sessionCookie(token: string, isSecure: boolean): string {
  const name = isSecure ? secureName : plainName;
  const end = token === '' ? '; Max-Age=0' : '';
  return `${name}=${token}; HttpOnly;${isSecure ? ' Secure;' : ''} SameSite=Strict; Path=/${end}`;
}

function valueOf(name: string, header: string): string {
  const prefix = `${name}=`;
  const found = header.split(';').find((part) => part.trim().startsWith(prefix));
  return found === undefined ? '' : found.trim().slice(prefix.length);
}

/** Behind https, only the prefixed name counts: anyone on the network could set the other one. */
export const tokenIn = (header: string, baseUrl: string): string =>
  valueOf(secureName, header) || (isHttps(baseUrl) ? '' : valueOf(plainName, header));

/** Whether an `Origin` is ours: that of the public URL or, as it may not be set for plain http, that of the request itself. */
const isOwnOrigin = (origin: string, host: string | undefined, baseUrl: string): boolean =>
  origin === originOf(baseUrl) || (!isHttps(baseUrl) && host !== undefined && origin === `http://${host}`);

/**
 * Whether a page of ours sent the request. Browsers say so in `Sec-Fetch-Site`, but not over plain http beyond this machine. Null:
 * the request does not tell.
 */
export function isOwnPage(headers: PageHeaders, baseUrl: string): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined ? null : isOwnOrigin(headers.origin, headers.host, baseUrl);
}

/** A foreign page can make a browser read, but cannot see the reply. */
const onlyReads = ({ method, changesOnGet }: Route): boolean => method === 'GET' && changesOnGet !== true;

const isForUsers = ({ access, path, takesToken }: Route): boolean =>
  /^\/v[23]\//.test(path) && (access === 'public' ? takesToken === true : access !== 'agent');

const foreign = () =>
  new Failure('unauthorized', 'The session cookie counts only for requests of the console itself', {
    description:
      'Programs send the header Authorization: Bearer <token>. Behind a proxy, ALM_BASE_URL must be the URL that browsers use.',
  });

/**
 * The token in the cookie of a browser. It counts only if a page of ours sent the request: `SameSite` alone lets other ports of
 * this host act. Null: there is none, or the route is not for users. Throws if it does not count.
 */
export function cookieToken(
  route: Route,
  headers: IncomingHttpHeaders & PageHeaders,
  baseUrl: string,
): string | null {
  const token = isForUsers(route) ? tokenIn(headers.cookie ?? '', baseUrl) : '';
  if (token === '') return null;
  const isOwn = isOwnPage(headers, baseUrl);
  if (isOwn === true || (isOwn === null && onlyReads(route))) return token;
  // For a foreign page, nobody is signed in.
  if (route.access === 'public' && onlyReads(route)) return null;
  throw foreign();
}

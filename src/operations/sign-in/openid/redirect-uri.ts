import { Failure } from '../../../basics/failure.ts';

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

function isAllowed(url: URL, baseUrl: string): boolean {
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  if (url.protocol === 'http:' && loopback.has(url.hostname)) return true;
  return ['http:', 'https:'].includes(url.protocol) && url.origin === new URL(baseUrl).origin;
}

/** Codes are sent only to a program on the person's own machine or to a page of this service (RFC 8252). */
export function checkedRedirectUri(baseUrl: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && isAllowed(url, baseUrl)) return url.href;
  const message =
    'redirect_uri must be http://127.0.0.1:<port>, http://[::1]:<port>, or a page of this service';
  throw new Failure('invalid_request', message, { problems: [{ path: 'redirect_uri', message }] });
}

/** Adds the result of a sign-in to the address of the client. */
export function redirectWith(
  { redirectUri, state }: { redirectUri: string; state: string },
  result: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  if (state !== '') url.searchParams.set('state', state);
  return url.href;
}

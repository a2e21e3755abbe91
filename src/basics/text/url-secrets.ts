/** A part of a URL that is a secret: a password, a token in place of the user, or a token in the query. */
interface SecretPart {
  /** Names the part and the server it is for, without its value. A secret is never sent to another server. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const encode = (text: string): string => encodeURIComponent(text);

/** Words in the names of query parameters that carry secrets, such as `access_token` and `X-Amz-Signature`. */
const secretParameter = /token|secret|passw|pwd|key|auth|sig|credential|private/i;

/** These passwords say that the user name is the token. */
const emptyPasswords = new Set(['', 'x-oauth-basic']);

interface Authority {
  scheme: string;
  /** Offset of the user. */
  start: number;
  /** Null if there is none. */
  user: string | null;
  password: string | null;
  host: string;
}

const hostIn = (rest: string): string => /^[^/?#]*/.exec(rest)?.[0] ?? '';

const withUser = (place: Pick<Authority, 'scheme' | 'start'>, user: string, rest: string): Authority => {
  const colon = user.indexOf(':');
  return {
    ...place,
    user: colon < 0 ? user : user.slice(0, colon),
    password: colon < 0 ? null : user.slice(colon + 1),
    host: hostIn(rest),
  };
};

/** A password with a slash makes the URL invalid, but is a secret too: what follows the colon is then not a port. */
const sloppyUser = /^([^/?#@:]*:(?!\d*(?:[/?#]|$))[^@]*)@/s;

const authorityOf = (text: string): Authority | null => {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  if (scheme) {
    const start = scheme[0].length;
    const rest = text.slice(start);
    const authority = hostIn(rest);
    const at = authority.lastIndexOf('@');
    const user = at < 0 ? sloppyUser.exec(rest)?.[1] : authority.slice(0, at);
    const name = scheme[1]?.toLowerCase() ?? '';
    return user === undefined
      ? { scheme: name, start, user: null, password: null, host: authority }
      : withUser({ scheme: name, start }, user, rest.slice(user.length + 1));
  }
  // `user:password@host/path`. An image with a tag and a digest looks similar.
  const [, user, host] = /^([^/@:]+:[^/@]+)@((?![a-z0-9+._-]+:[0-9a-f]{32,}$).+)$/is.exec(text) ?? [];
  return user === undefined || host === undefined ? null : withUser({ scheme: '', start: 0 }, user, host);
};

const isWeb = (scheme: string): boolean => scheme === 'http' || scheme === 'https';

const secretsInAuthority = ({ scheme, start, user, password, host }: Authority): SecretPart[] => {
  if (user === null) return [];
  const server = `${encode(scheme)}/${encode(host)}`;
  const isToken = isWeb(scheme) && user !== '' && emptyPasswords.has(password ?? '');
  if (isToken && user !== 'git') return [{ name: `${server}/user`, start, end: start + user.length }];
  if (password === null || emptyPasswords.has(password)) return [];
  const at = start + user.length + 1;
  return [{ name: `${server}/${encode(user)}/password`, start: at, end: at + password.length }];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const secretsInQuery = (text: string, host: string): SecretPart[] => {
  const parameters = [...text.matchAll(/[?&#;]([^?&#;=]+)=([^&#;]+)/g)];
  return parameters.flatMap(({ 0: all, 1: name = '', 2: value = '', index }) => {
    const end = index + all.length;
    const part = { name: `${encode(host)}/query/${encode(name)}`, start: end - value.length, end };
    return secretParameter.test(decoded(name)) ? [part] : [];
  });
};

const secretParts = (text: string): SecretPart[] => {
  const authority = authorityOf(text);
  const inAuthority = authority ? secretsInAuthority(authority) : [];
  const after = inAuthority.at(-1)?.end ?? 0;
  const inQuery = secretsInQuery(text, authority?.host ?? '');
  return [...inAuthority, ...inQuery.filter(({ start }) => start >= after)];
};

/** The secrets in a URL, or in a text like one. */
export const urlSecrets = (text: string): { name: string; value: string }[] =>
  secretParts(text).map(({ name, start, end }) => ({ name, value: text.slice(start, end) }));

/** Replaces every secret in a URL. */
export const replaceUrlSecrets = (
  text: string,
  replacement: (secret: { name: string; value: string }) => string,
): string =>
  secretParts(text).reduceRight(
    (rest, { name, start, end }) =>
      rest.slice(0, start) + replacement({ name, value: text.slice(start, end) }) + rest.slice(end),
    text,
  );

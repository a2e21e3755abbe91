/** The part of a URL, or of a text like one, that names the server and who asks it. */
export interface Authority {
  /** Empty for `user:password@host/path`. */
  scheme: string;
  /** Offset of the user. */
  start: number;
  /** Null if there is none. */
  user: string | null;
  password: string | null;
  host: string;
}

/** `app:1@sha256:…` is an image, not a server with a user. */
const digest = /@[a-z0-9+._-]+:[0-9a-f]{32,}$/i;

const withoutDigest = (text: string): string => text.replace(digest, '');

const schemeOf = (text: string): string | undefined => /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0];

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

/**
 * A password with a slash makes the URL invalid, but is a secret too: what follows the colon is then not a port. It ends at
 * the last `@`, because it may contain others.
 */
const sloppyUser = /^(?!\[[0-9a-f:.]*\])([^/?#@:]*:(?!\d*(?:[/?#]|$)).*)@/is;

/** `user:password@host/path`. An IPv6 address has colons too. */
const userWithoutScheme = /^(?!\[)([^/@:]+:[^/]+)@(.+)$/s;

export const authorityOf = (written: string): Authority | null => {
  const text = withoutDigest(written);
  const scheme = schemeOf(text);
  if (scheme === undefined) {
    const [, user, host] = userWithoutScheme.exec(text) ?? [];
    return user === undefined || host === undefined ? null : withUser({ scheme: '', start: 0 }, user, host);
  }
  const start = scheme.length;
  const rest = text.slice(start);
  const strict = hostIn(rest);
  const at = strict.lastIndexOf('@');
  const user = at < 0 ? sloppyUser.exec(rest)?.[1] : strict.slice(0, at);
  const place = { scheme: scheme.slice(0, -3).toLowerCase(), start };
  return user === undefined
    ? { ...place, user: null, password: null, host: strict }
    : withUser(place, user, rest.slice(user.length + 1));
};

/** `https://user:123/a@host/x`, or `https://user:a@b/c@host/x`: the password may end at one `@` or at the other. */
export const isAmbiguous = (written: string): boolean => {
  const text = withoutDigest(written);
  const scheme = schemeOf(text);
  if (scheme === undefined) return false;
  return /^(?!\[[0-9a-f:.]*\])[^/?#@:]*:[^/?#]*[/?#].*@/is.test(text.slice(scheme.length));
};

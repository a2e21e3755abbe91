import { type Authority, authorityOf } from './url-authority.ts';

/** A part of a URL that is a secret: a password, a token in place of the user, or a token in the query. */
export interface SecretPart {
  /** Names the part and the server it is for, without its value. A secret is never sent to another server. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const encode = (text: string): string => encodeURIComponent(text);

/** Words in the names of query parameters that carry secrets, such as `access_token` and `X-Amz-Signature`. */
const secretParameter = /token|secret|passw|pwd|key|auth|sig|credential|private/i;

/** These passwords say that the user name is the token, and are not secret. */
const wordsForPasswords = new Set(['', 'x-oauth-basic', 'oauth2', 'none', 'pat']);

/** A shorter password is one that nobody checks. */
const minPassword = 4;

const tokenPrefix = /^(?:gh[a-z]_|github_pat_|glpat-)/;
const longToken = /^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;

/** The user was a token when this URL was stored. */
const sealedUser = '${sealed}';

const looksLikeToken = (user: string): boolean =>
  user === sealedUser || tokenPrefix.test(user) || longToken.test(user);

/** Over other protocols, such as ssh, the user is only a name. */
const takesTokens = new Set(['', 'http', 'https']);

const isSecretUser = ({ scheme, user, password }: Authority): boolean => {
  if (!takesTokens.has(scheme) || user === null || user === '' || user === 'git') return false;
  const isAlone = wordsForPasswords.has(password ?? '') || (password ?? '').length < minPassword;
  return isAlone || looksLikeToken(user);
};

const secretsInAuthority = (authority: Authority): SecretPart[] => {
  const { scheme, start, user, password, host } = authority;
  if (user === null) return [];
  const server = `${encode(scheme)}/${encode(host)}`;
  const hidesUser = isSecretUser(authority);
  const parts = hidesUser ? [{ name: `${server}/user`, start, end: start + user.length }] : [];
  if (password === null || wordsForPasswords.has(password)) return parts;
  const at = start + user.length + 1;
  const name = hidesUser ? `${server}/password` : `${server}/${encode(user)}/password`;
  return [...parts, { name, start: at, end: at + password.length }];
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

/** The secrets in a URL, or in a text like one. Names may be long. */
export const secretParts = (text: string): SecretPart[] => {
  const authority = authorityOf(text);
  const inAuthority = authority ? secretsInAuthority(authority) : [];
  const after = inAuthority.at(-1)?.end ?? 0;
  const inQuery = secretsInQuery(text, authority?.host ?? '');
  return [...inAuthority, ...inQuery.filter(({ start }) => start >= after)];
};

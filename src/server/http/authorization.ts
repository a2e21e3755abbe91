export interface BasicCredentials {
  user: string;
  password: string;
}

const valueOf = (scheme: string, header: string | undefined): string | null => {
  const [word = '', ...rest] = (header ?? '').trim().split(/\s+/);
  return word.toLowerCase() === scheme && rest.length === 1 ? (rest[0] ?? null) : null;
};

export const bearerToken = (authorization: string | undefined): string | null =>
  valueOf('bearer', authorization);

/** Both halves as they came: passwords may hold any sign, so nothing in them is decoded further. */
export const basicCredentials = (authorization: string | undefined): BasicCredentials | null => {
  const encoded = valueOf('basic', authorization);
  if (encoded === null) return null;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) return null;
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
};

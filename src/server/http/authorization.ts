/** Parsers for the Authorization header. */

export interface BasicCredentials {
  user: string;
  password: string;
}

/** Returns the value of the header if it has the scheme, otherwise `null`. */
const valueOfScheme = (scheme: string, header: string | undefined): string | null => {
  if (header === undefined) return null;
  const [name = '', ...values] = header.trim().split(/\s+/);
  return name.toLowerCase() === scheme && values.length === 1 ? (values[0] ?? null) : null;
};

export const hasBearerScheme = (header: string | undefined): boolean =>
  /^\s*bearer(\s|$)/i.test(header ?? '');

export const parseBearerToken = (header: string | undefined): string | null =>
  valueOfScheme('bearer', header);

/** Splits at the first colon only: passwords may contain any character and are not decoded further. */
export const parseBasicCredentials = (header: string | undefined): BasicCredentials | null => {
  const encoded = valueOfScheme('basic', header);
  if (encoded === null) return null;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) return null;
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
};

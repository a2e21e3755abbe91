/** Parsers for the Authorization header. */

export interface BasicCredentials {
  user: string;
  password: string;
}

/** Returns the value of the header if it has the scheme, otherwise `null`. */
const valueOfScheme = (scheme: RegExp, header: string | undefined): string | null =>
  header === undefined ? null : (scheme.exec(header)?.[1] ?? null);

export const hasBearerScheme = (header: string | undefined): boolean =>
  /^\s*bearer(\s|$)/i.test(header ?? '');

export const parseBearerToken = (header: string | undefined): string | null =>
  valueOfScheme(/^\s*bearer\s+(\S+)\s*$/i, header);

/** Splits at the first colon only: passwords may contain any character and are not decoded further. */
export const parseBasicCredentials = (header: string | undefined): BasicCredentials | null => {
  const encoded = valueOfScheme(/^\s*basic\s+(\S+)\s*$/i, header);
  if (encoded === null) return null;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) return null;
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
};

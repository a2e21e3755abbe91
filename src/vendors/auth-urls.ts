/**
 * The clouds of a vendor whose clouds have addresses of their own. Only addresses that the operator lists are called: any other
 * one would let a user make the server call into its own network.
 */
export interface AuthUrls {
  /** The name of the operator's setting. */
  setting: string;
  urls: readonly string[];
  /** Earlier addresses of listed clouds, each with the one of today. */
  moved: ReadonlyMap<string, string>;
}

export type AuthUrlAnswer = { url: string } | { reason: string };

/** The address of today of a cloud. Two addresses belong to the same cloud only if this is equal. */
export const currentAuthUrl = ({ moved }: AuthUrls, url: string): string => moved.get(url) ?? url;

/** The address to call for a credential; null: the credential names none. Otherwise why none may be called. */
export function findAuthUrl(allowed: AuthUrls, wanted: string | null): AuthUrlAnswer {
  const { setting, urls } = allowed;
  const list = urls.join(', ');
  const [only, ...more] = urls;
  if (only === undefined)
    return { reason: `The operator of this server lists no cloud in ${setting}, so none is called` };
  if (wanted === null)
    return more.length === 0
      ? { url: only }
      : { reason: `${setting} lists several clouds, so the credential must name its own: one of ${list}` };
  const url = currentAuthUrl(allowed, wanted);
  return urls.includes(url)
    ? { url }
    : {
        reason: `The address is none of those that the operator of this server lists in ${setting}: ${list}`,
      };
}

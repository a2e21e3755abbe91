/** Where a token comes from: shown to its owner, who recognizes a foreign sign-in by it. */
export interface TokenOrigin {
  grant_type: string;
  address: string;
  user_agent: string;
}

const maxUserAgent = 200;

/** The caller chooses this text, and people read it in terminals: printable ASCII only, and not long. */
const shownUserAgent = (text: string): string => text.replaceAll(/[^\x20-\x7E]/g, '?').slice(0, maxUserAgent);

export interface TokenCaller {
  address: string;
  userAgent: string;
}

export const originOf = (grantType: string, { address, userAgent }: TokenCaller): TokenOrigin => ({
  grant_type: grantType,
  address,
  user_agent: shownUserAgent(userAgent),
});

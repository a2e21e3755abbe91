import { CliError } from '../cli-error.ts';
import { isPlaintext } from '../net/address.ts';
import type { Profile } from '../settings/settings.ts';

const isLoopback = ({ host }: URL): boolean => !isPlaintext(`http://${host}`);

/** True for the same host without a downgrade from https to http. */
const isAsSecure = (url: URL, configured: URL): boolean =>
  url.hostname === configured.hostname && (url.protocol === 'https:' || url.protocol === configured.protocol);

/**
 * Validates the token address that the registry names, because the password is sent there. A registry reached over a secure
 * connection may name any secure address; otherwise the host must be one the user configured, without a downgrade to http.
 */
export function trustedRealm(realm: string, { api_url: api, registry_url: registry }: Profile): URL {
  const url = URL.canParse(realm) ? new URL(realm) : null;
  if (url && /^https?:$/.test(url.protocol)) {
    const isConfigured = [api, registry].some((address) => isAsSecure(url, new URL(address)));
    if (isConfigured || isLoopback(url) || (!isPlaintext(realm) && !isPlaintext(registry))) return url;
  }
  throw new CliError('refused', `The registry asks to send your password to ${realm}, which is not secure.`, {
    lines: [
      'alm sends passwords over https, to this machine, or to the configured host of the service or the registry.',
      'A registry reached over plain http cannot name other hosts.',
    ],
    hints: ['The registry must name an https address. To use another registry: --rurl, ALM_REGISTRY_URL'],
  });
}

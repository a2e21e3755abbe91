import { CliError } from '../cli-error.ts';
import { isPlaintext } from '../net/address.ts';
import type { Profile } from '../settings/settings.ts';

const isThisMachine = ({ host }: URL): boolean => !isPlaintext(`http://${host}`);

/** The same host, and not over plain http where it was https. */
const isNoWorse = (url: URL, named: URL): boolean =>
  url.hostname === named.hostname && (url.protocol === 'https:' || url.protocol === named.protocol);

/**
 * Where the registry says tokens are given. The password goes there, so what is said must be believed: over a safe way a
 * registry may name any safe place; otherwise it must be a host the user has named, over a way no worse than the user's.
 */
export function trustedRealm(realm: string, { api_url: api, registry_url: registry }: Profile): URL {
  const url = URL.canParse(realm) ? new URL(realm) : null;
  if (url && /^https?:$/.test(url.protocol)) {
    const isNamed = [api, registry].some((named) => isNoWorse(url, new URL(named)));
    if (isNamed || isThisMachine(url) || (!isPlaintext(realm) && !isPlaintext(registry))) return url;
  }
  throw new CliError('refused', `The registry wants your password sent to ${realm}, and that is not safe.`, {
    lines: [
      'alm sends it over https, or to this machine, or to the host of the service or the registry you named;',
      'and what a registry says over plain http is not believed about other hosts.',
    ],
    hints: [
      'Whoever runs the registry should name an https address. Another registry: --rurl, ALM_REGISTRY_URL',
    ],
  });
}

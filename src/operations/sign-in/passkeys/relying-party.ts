import { isIP } from 'node:net';
import { Failure } from '../../../basics/failure.ts';
import type { Service } from '../../service.ts';

/** What browsers bind passkeys to: they use them on pages of this origin only. */
export interface RelyingParty {
  /** Host name of the service. */
  id: string;
  origin: string;
}

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Why browsers use no passkeys at this URL; null: they do. */
export function passkeysOff(baseUrl: string): string | null {
  const { hostname, protocol } = new URL(baseUrl);
  const at = `Passkeys are off, because the URL of this service is ${baseUrl}.`;
  const advice = 'The operator sets ALM_BASE_URL.';
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    return `${at} Browsers bind passkeys to a host name, not to an IP address: use https:// with a name, or http://localhost. ${advice}`;
  if (protocol === 'https:' || isLocal(hostname)) return null;
  return `${at} Browsers use passkeys only over https, or on localhost. ${advice}`;
}

export function relyingParty({ settings: { baseUrl } }: Service): RelyingParty {
  const off = passkeysOff(baseUrl);
  if (off !== null)
    throw new Failure('conflict', 'This service cannot use passkeys', {
      description: `${off} Use a password instead.`,
    });
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

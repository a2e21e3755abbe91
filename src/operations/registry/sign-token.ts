import { sign } from 'node:crypto';
import { randomText } from '../../basics/random.ts';
import type { Service } from '../service.ts';
import { currentKey } from './keys/signing-keys.ts';

/** What a token allows on one resource of the registry. */
export interface RegistryAccess {
  type: 'repository' | 'registry';
  name: string;
  actions: readonly string[];
}

export interface SignedToken {
  token: string;
  expiresInSeconds: number;
  /** Milliseconds. */
  issuedAt: number;
}

/** Clocks differ: a token is valid a little before it was issued. */
const earlySeconds = 30;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs a token for the registry. It has the key id in the form of distribution 2 and the certificate, because distribution 3 computes
 * other ids. `aud` is a string: distribution 2 does not read a list.
 */
export async function signRegistryToken(
  service: Pick<Service, 'database' | 'sealer' | 'clock' | 'settings'>,
  { access, subject }: { access: readonly RegistryAccess[]; subject: string },
): Promise<SignedToken> {
  const { issuer, service: audience, tokenSeconds } = service.settings.registry;
  const { id, privateKey, certificate } = await currentKey(service);
  const issuedAt = service.clock.now();
  const now = Math.floor(issuedAt / 1000);
  const header = encode({ typ: 'JWT', alg: 'ES256', kid: id, x5c: [certificate] });
  const claims = encode({
    iss: issuer,
    sub: subject,
    aud: audience,
    exp: now + tokenSeconds,
    nbf: now - earlySeconds,
    iat: now,
    jti: randomText(16),
    access,
  });
  const signed = `${header}.${claims}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    token: `${signed}.${signature.toString('base64url')}`,
    expiresInSeconds: tokenSeconds,
    issuedAt,
  };
}

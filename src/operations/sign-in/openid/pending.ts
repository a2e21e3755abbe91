import { isObject } from '../../../basics/is-object.ts';
import { randomText } from '../../../basics/random.ts';
import { Secret } from '../../../basics/secret.ts';
import type { SignInProof } from '../../../openid/provider.ts';
import { digest } from '../../access/secret-hash.ts';
import { type Service, sealedFor } from '../../service.ts';

/**
 * A sign-in that waits for the provider. The browser keeps it in a sealed cookie, so anyone can start many without filling the
 * database, and only the browser that started a sign-in can finish it: a foreign callback URL signs nobody in.
 */
export interface PendingSignIn {
  /** State, nonce and verifier for the provider are derived from it. */
  secret: string;
  clientId: string;
  redirectUri: string;
  /** State of the client; empty: none. */
  state: string;
  codeChallenge: string;
  expiresAt: number;
}

export const pendingSeconds = 600;

export const newPendingSignIn = (
  service: Service,
  client: Omit<PendingSignIn, 'secret' | 'expiresAt'>,
): PendingSignIn => ({
  ...client,
  secret: randomText(43),
  expiresAt: service.clock.now() + pendingSeconds * 1000,
});

export const proofOf = ({ secret }: PendingSignIn): SignInProof => ({
  state: digest(`state ${secret}`),
  nonce: digest(`nonce ${secret}`),
  verifier: digest(`verifier ${secret}`),
});

export const sealPending = ({ sealer }: Service, pending: PendingSignIn): string =>
  sealer.seal(new Secret(JSON.stringify(pending)), sealedFor.signInCookie);

/** Null: not sealed by this service, or too old. */
export function unsealPending({ sealer, clock }: Service, sealed: string): PendingSignIn | null {
  try {
    const value: unknown = JSON.parse(sealer.unseal(sealed, sealedFor.signInCookie).reveal());
    // Only this service can seal, so the members have their types.
    const pending = isObject(value) ? (value as unknown as PendingSignIn) : null;
    return pending && pending.expiresAt > clock.now() ? pending : null;
  } catch {
    return null;
  }
}

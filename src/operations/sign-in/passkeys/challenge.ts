import { Secret } from '../../../basics/secret.ts';
import { takeChallenge } from '../../../store/access/passkeys.ts';
import type { Query } from '../../../store/database/database.ts';
import { digest } from '../../access/secret-hash.ts';
import { type Service, sealedFor } from '../../service.ts';

export const challengeMs = 5 * 60_000;

/** What the answer to a challenge is for. It counts for nothing else. */
export type ChallengeUse = 'sign-in' | `proof of ${string}` | `passkey of ${string}`;

/** Sealed instead of stored: anyone can ask for many without filling the database, and every server knows its own. */
export const newChallenge = ({ sealer, clock }: Service, use: ChallengeUse): string =>
  sealer.seal(new Secret(String(clock.now() + challengeMs)), sealedFor.passkeyChallenge(use));

export interface Challenge {
  hash: string;
  expiresAt: number;
}

/** Reads the challenge that a device has signed. Null: not one of ours, for another use, or too old. */
export function readChallenge(service: Service, signed: string, use: ChallengeUse): Challenge | null {
  try {
    const sealed = Buffer.from(signed, 'base64url').toString('utf8');
    const expiresAt = Number(service.sealer.unseal(sealed, sealedFor.passkeyChallenge(use)).reveal());
    return expiresAt > service.clock.now() ? { hash: digest(sealed), expiresAt } : null;
  } catch {
    return null;
  }
}

/** True once per challenge, on all servers together. */
export const spendChallenge = (service: Service, query: Query, challenge: Challenge): Promise<boolean> =>
  takeChallenge(query, { ...challenge, now: service.clock.now() });

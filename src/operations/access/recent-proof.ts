import { Failure } from '../../basics/failure.ts';
import type { Service } from '../service.ts';
import type { Actor } from './actor.ts';
import type { CalledRoute } from './may-call.ts';

/** How long a proof of the password counts. */
export const proofMs = 10 * 60_000;

/**
 * Refuses what gives lasting access, unless the user has proved the password a short time ago: a stolen session must not become more
 * than a session. API clients and personal access tokens have no password, and reach only routes that existing programs use.
 */
export function refuseStaleProof(
  { clock }: Pick<Service, 'clock'>,
  actor: Actor,
  proof: CalledRoute['proof'],
): void {
  if (proof === undefined || proof === 'others') return;
  if (actor.kind !== 'user' || actor.provedAt === undefined) return;
  if (proof === 'browser' && actor.sessionHash === undefined) return;
  if (clock.now() - actor.provedAt <= proofMs) return;
  throw new Failure('proof_required', 'Confirm with your password or a passkey: this gives lasting access', {
    description:
      'Send your password, and a code if you have a second factor, or the answer of a passkey, to POST /v3/session/proof, then repeat the request. ' +
      'With alm, or without a password, sign in again: alm login.',
  });
}

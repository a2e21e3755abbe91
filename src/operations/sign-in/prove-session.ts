import { findUserById } from '../../store/access/accounts.ts';
import { recordProof } from '../../store/access/sessions.ts';
import type { Actor } from '../access/access.ts';
import { proofMs } from '../access/recent-proof.ts';
import { signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { type OwnProof, proveOwn } from './prove-password.ts';
import { ended } from './session-ended.ts';

/** Checks the password of the caller again, and notes it for the sign-in. Returns until when it counts. */
export async function proveSession(service: Service, actor: Actor, proof: OwnProof): Promise<number> {
  const { userId, tokenHash = '', sessionHash = null } = signedInUser(actor);
  const { query } = service.database;
  const user = await findUserById(query, userId);
  if (!user) throw ended();
  await proveOwn(service, user, proof);
  const now = service.clock.now();
  await recordProof(query, { tokenHash, sessionHash }, now);
  return now + proofMs;
}

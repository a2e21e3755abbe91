import { notFound } from '../../basics/failure.ts';
import { deleteTokenOfUser, listTokensOfUser } from '../../store/access/own-tokens.ts';
import type { Actor } from '../access/access.ts';
import { signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';

/** A token without its secret. */
export interface ListedToken {
  id: string;
  clientId: string;
  issuedAt: number;
  expiresAt: number;
}

export async function describeOwnTokens(service: Service, actor: Actor): Promise<ListedToken[]> {
  const { userId } = signedInUser(actor);
  const rows = await listTokensOfUser(service.database.query, userId, service.clock.now());
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
  }));
}

export async function endOwnToken(service: Service, actor: Actor, id: string): Promise<void> {
  const { userId } = signedInUser(actor);
  if (!(await deleteTokenOfUser(service.database.query, { userId, id, now: service.clock.now() })))
    throw notFound('Token', id);
}

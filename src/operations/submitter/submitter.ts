import { automaticClientId } from '../../model/client-kinds.ts';
import { findApiClient, findUserById } from '../../store/access/accounts.ts';
import { findPersonalToken } from '../../store/access/personal-tokens.ts';
import type { Submitter } from '../../store/automatic/version-submitters.ts';
import type { Query } from '../../store/database/database.ts';
import type { Actor } from '../access/access.ts';
import { rolesOfClient, rolesOfUser } from '../access/permission.ts';
import { actorOfPersonalToken } from '../access/personal-actor.ts';

/** What is stored of an actor, to find its rights again. Null: agents submit nothing. */
export function submitterOf(actor: Actor): Submitter | null {
  switch (actor.kind) {
    case 'stack':
      return null;
    case 'client':
      return { kind: 'client', subject: actor.clientId, token_hash: null };
    case 'user':
      return {
        kind: 'user',
        subject: actor.userId,
        token_hash: actor.personalToken ? (actor.tokenHash ?? '') : null,
      };
  }
}

interface Asked {
  accountId: string;
  now: number;
  submitter: Submitter;
}

/**
 * The actor with the rights that it has now. Null: the user, API client or personal access token is gone. Reads through `query` only,
 * so that it can run inside a transaction.
 */
export async function actorOfSubmitter(
  query: Query,
  { accountId, now, submitter }: Asked,
): Promise<Actor | null> {
  const { kind, subject, token_hash: tokenHash } = submitter;
  if (kind === 'client') return clientActor(query, accountId, subject);
  if (tokenHash === null) return userActor(query, accountId, subject);
  const token = await findPersonalToken(query, tokenHash, now);
  const actor = token && (await actorOfPersonalToken(query, token));
  return actor?.accountId === accountId ? actor : null;
}

async function userActor(query: Query, accountId: string, userId: string): Promise<Actor | null> {
  const user = await findUserById(query, userId);
  if (user?.account_id !== accountId) return null;
  const master = user.master === 1;
  const roles = master ? [] : await rolesOfUser(query, accountId, userId);
  const { username } = user;
  return {
    kind: 'user',
    accountId,
    clientId: automaticClientId,
    clientKind: 'sign-in',
    userId,
    username,
    master,
    roles,
  };
}

async function clientActor(query: Query, accountId: string, clientId: string): Promise<Actor | null> {
  const client = await findApiClient(query, clientId);
  if (client?.account_id !== accountId) return null;
  const roles = client.kind === 'service' ? await rolesOfClient(query, accountId, clientId) : [];
  return { kind: 'client', accountId, clientId, clientKind: client.kind, roles };
}

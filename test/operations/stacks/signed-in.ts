import type { Actor } from '../../../src/operations/access/access.ts';
import { digest } from '../../../src/operations/access/secret-hash.ts';
import { saveToken } from '../../../src/operations/sign-in/tokens.ts';
import type { World } from '../../world.ts';

/** The user of the world with a token in the database, so that it can be revoked. */
export async function signedIn(world: World, token: string): Promise<Actor> {
  const { actor, clock, database } = world;
  if (actor.kind !== 'user') throw new Error('The actor of the world is a user.');
  const subject = {
    account_id: actor.accountId,
    kind: 'user',
    subject: actor.userId,
    client_id: '',
  } as const;
  const origin = { client_kind: 'sign-in', grant_type: 'password', address: '', user_agent: '' } as const;
  const row = { ...subject, ...origin };
  await saveToken(world.service, database.query, { token, now: clock.now(), row });
  return { ...actor, tokenHash: digest(token) };
}

export const revoke = (world: World, token: string) =>
  world.database.query.deleteFrom('access_tokens').where('hash', '=', digest(token)).execute();

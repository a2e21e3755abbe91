import { afterAll, beforeAll } from 'vitest';
import { authenticate } from '../../../src/operations/access/access.ts';
import { hashChosen } from '../../../src/operations/access/secret-hash.ts';
import { type SignedInUser, signedInUser } from '../../../src/operations/access/users.ts';
import { renewSession, startSession } from '../../../src/operations/sign-in/session.ts';
import { World } from '../../world.ts';

export const hour = 3_600_000;
export const caller = { address: '127.0.0.1', userAgent: 'Test browser' };

/** A world whose user `root` can sign in. */
export function useSessions() {
  let world: World | undefined;
  beforeAll(async () => {
    world = await World.open();
    const password_hash = await hashChosen(world.service.hashing.of('test'), 'right password');
    await world.database.query.updateTable('users').set({ password_hash }).execute();
  });
  afterAll(() => world?.close());

  const opened = (): World => {
    if (!world) throw new Error('Use it in a test');
    return world;
  };
  const actorOf = async (token: string): Promise<SignedInUser> => {
    const actor = await authenticate(opened().service, token);
    if (!actor) throw new Error('The token is not valid');
    return signedInUser(actor);
  };
  return {
    world: opened,
    actorOf,
    start: () =>
      startSession(opened().service, caller, { login: 'root', password: 'right password', otp: null }),
    isValid: async (token: string) => (await authenticate(opened().service, token)) !== null,
    renew: async (token: string) => renewSession(opened().service, await actorOf(token)),
  };
}

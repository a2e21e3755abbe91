import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { runAtOnce } from '../../../src/operations/access/hash-queue.ts';
import { digest, hashChosen, hashGenerated } from '../../../src/operations/access/secret-hash.ts';
import { passwordPace, takeTurn } from '../../../src/operations/sign-in/login-pace.ts';
import { authenticateClient } from '../../../src/operations/sign-in/oauth-client.ts';
import { insertApiClient } from '../../../src/store/access/accounts.ts';
import { eventually } from '../../http.ts';
import { World } from '../../world.ts';

let world: World;
let timers: MockInstance<World['clock']['after']>;
beforeEach(async () => {
  world = await World.open();
  timers = vi.spyOn(world.clock, 'after');
});
afterEach(() => world.close());

const addClient = (id: string, secret_hash: string): Promise<void> =>
  insertApiClient(world.database.query, {
    id,
    account_id: world.actor.accountId,
    secret_hash,
    created_at: 1,
    label: id,
    kind: 'owner',
  });

/** A client whose secret a hundred addresses have just guessed wrong. */
async function attackedClient(id: string, secret_hash: string): Promise<void> {
  await addClient(id, secret_hash);
  const everywhere = digest(`client ${id}`);
  for (let each = 0; each < passwordPace.burst; each += 1)
    await takeTurn(world.service, { everywhere, place: digest(`place ${each}`), pace: passwordPace });
}

const signIn = (clientId: string) =>
  authenticateClient(world.service, { address: '192.0.2.1', clientId, clientSecret: 'the secret' });

it('a wrong secret costs as many hashes for an unknown client as for one whose secret was chosen or generated', async () => {
  let hashes = 0;
  vi.spyOn(world.service.hashing, 'of').mockReturnValue((work) => {
    hashes += 1;
    return work();
  });
  await addClient('lg-random', hashGenerated('another secret'));
  await addClient('lg-known', await hashChosen(runAtOnce, 'another secret'));
  for (const id of ['lg-unknown', 'lg-random', 'lg-known']) {
    hashes = 0;
    await expect(signIn(id)).rejects.toThrow('The client_id is unknown or its client_secret is wrong');
    expect({ id, hashes }).toEqual({ id, hashes: 1 });
  }
});

it('guessing a client secret that the operator chose is slowed for all unknown addresses together', async () => {
  await attackedClient('lg-chosen', await hashChosen(runAtOnce, 'the secret'));
  const signedIn = signIn('lg-chosen');
  await eventually(
    async () => timers.mock.calls.length,
    (waiting) => waiting > 0,
  );
  world.clock.advance(passwordPace.everyMs);
  expect(await signedIn).toMatchObject({ id: 'lg-chosen' });
});

it('a generated client secret cannot be guessed, so nobody has to wait', async () => {
  await attackedClient('lg-generated', hashGenerated('the secret'));
  expect(await signIn('lg-generated')).toMatchObject({ id: 'lg-generated' });
  expect(timers).not.toHaveBeenCalled();
});

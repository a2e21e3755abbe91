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

/** A client whose secret a hundred addresses have just guessed wrong. */
async function attackedClient(id: string, secret_hash: string): Promise<void> {
  await insertApiClient(world.database.query, {
    id,
    account_id: world.actor.accountId,
    secret_hash,
    created_at: 1,
    label: id,
    kind: 'owner',
  });
  const everywhere = digest(`client ${id}`);
  for (let each = 0; each < passwordPace.burst; each += 1)
    await takeTurn(world.service, { everywhere, place: digest(`place ${each}`), pace: passwordPace });
}

const signIn = (clientId: string) =>
  authenticateClient(world.service, { address: '192.0.2.1', clientId, clientSecret: 'the secret' });

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

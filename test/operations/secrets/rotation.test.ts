import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { realClock } from '../../../src/basics/clock.ts';
import { sealedPrefix, sealerWithKey } from '../../../src/basics/secret.ts';
import { sealedFor } from '../../../src/operations/service.ts';
import { resealEverything } from '../../../src/operations/start/rotate-secrets.ts';
import { findSecret } from '../../../src/store/secrets/secrets.ts';
import { useSecretWorld } from './secret-world.ts';

const { world, set } = useSecretWorld();
const [old, next] = [randomBytes(32), randomBytes(32)] as const;

it('a new sealing key alone opens the secrets of the account after a rotation', async () => {
  const { service, database, actor } = world();
  // Everything else is sealed with a key that this test does not know.
  for (const table of ['credentials', 'stacks', 'meta'] as const)
    await database.query.deleteFrom(table).execute();
  service.sealer = sealerWithKey(old);
  await set('db-password', 'correct horse');
  expect(await resealEverything({ database, clock: realClock, quietMs: 1 }, [next, old])).toBe(1);
  const row = await findSecret(database.query, { accountId: actor.accountId, name: 'db-password' });
  const sealed = row?.sealed_value ?? '';
  expect(sealed.startsWith(sealedPrefix(next))).toBe(true);
  const context = sealedFor.accountSecret(actor.accountId, 'db-password');
  expect(sealerWithKey(next).unseal(sealed, context).reveal()).toBe('correct horse');
  expect(row?.revision).toBe(1);
});

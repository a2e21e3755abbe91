import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type SealingKeys,
  Secret,
  sealedPrefix,
  sealerReading,
  sealerWithKey,
} from '../../../src/basics/secret.ts';
import { type Service, sealedFor } from '../../../src/operations/service.ts';
import { checkSealingKey } from '../../../src/operations/start/first-start.ts';
import { resealEverything } from '../../../src/operations/start/rotate-secrets.ts';
import { oneServer, World } from '../../world.ts';

const [old, next] = [randomBytes(32), randomBytes(32)] as const;

let world: World;
/** What the running servers hold. */
let keys: SealingKeys;
let waits: number[];
beforeEach(async () => {
  world = await World.open();
  keys = [old];
  waits = [];
  world.service.sealer = sealerReading(() => keys);
  await sealSandboxAgain();
  await checkSealingKey(world.service);
});
afterEach(() => world.close());

/** The world was opened with a key of its own. */
async function sealSandboxAgain(): Promise<void> {
  const { accountId } = world.actor;
  for (const vendor of ['aws', 'sandbox']) {
    const context = sealedFor.credential(accountId, vendor, 'SANDBOX');
    const sealed_secret = world.service.sealer.seal(new Secret('sandbox'), context);
    await world.database.query
      .updateTable('credentials')
      .set({ sealed_secret })
      .where('vendor', '=', vendor)
      .execute();
  }
}

const withContainer = (password: string) => {
  const template = oneServer();
  const [layer] = template.configurations;
  const container = {
    container_image: 'shop/web:1',
    container_registry_username: 'shop',
    container_registry_password: password,
  };
  return { ...template, configurations: [{ ...layer, container }] };
};

async function sealedTexts(): Promise<string[]> {
  const { query } = world.database;
  const stacks = await query.selectFrom('stacks').select('sealed_auth_token as sealed').execute();
  const credentials = await query.selectFrom('credentials').select('sealed_secret as sealed').execute();
  const secrets = await query.selectFrom('version_secrets').select('sealed').execute();
  const checks = await query
    .selectFrom('meta')
    .select('value as sealed')
    .where('key', '=', 'key_check')
    .execute();
  return [...stacks, ...credentials, ...secrets, ...checks].map(({ sealed }) => sealed);
}

const sealedWith = async (key: Buffer) =>
  (await sealedTexts()).filter((text) => text.startsWith(sealedPrefix(key))).length;

/** Time does not pass by itself here: each wait is over as soon as it begins, after what else happens meanwhile. */
const rotate = (database: Service['database'] = world.database, meanwhile = async () => {}) => {
  const after = (ms: number, callback: () => void) => {
    waits.push(ms);
    void meanwhile().then(callback);
    return () => {};
  };
  return resealEverything({ database, clock: { now: () => world.clock.now(), after } }, keys);
};

describe('sealing everything again', () => {
  it('leaves nothing under the old key, and everything opens with the new one alone', async () => {
    const stackId = await world.create(withContainer('registry-4711'));
    await world.settle();
    const { authToken } = await world.describe(stackId);
    const total = (await sealedTexts()).length;
    keys = [next, old];
    expect(await rotate()).toBe(total);
    expect(await sealedWith(next)).toBe(total);

    world.service.sealer = sealerWithKey(next);
    await checkSealingKey(world.service);
    expect((await world.describe(stackId)).authToken).toBe(authToken);
    await world.update(stackId, withContainer('registry-4712'));
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
  });

  it('waits longer than anybody waits for the database, unless told otherwise', async () => {
    await rotate();
    expect(waits).toEqual([15_000]);
    const clock = {
      now: () => world.clock.now(),
      after: (ms: number, callback: () => void) => {
        waits.push(ms);
        queueMicrotask(callback);
        return () => {};
      },
    };
    await resealEverything({ database: world.database, clock, quietMs: 5 }, keys);
    expect(waits).toEqual([15_000, 5]);
  });

  it('goes over more than one batch, and a second time finds nothing to do', async () => {
    for (let each = 0; each < 60; each += 1) await world.create(withContainer(`registry-${each}`));
    keys = [next, old];
    expect(await rotate()).toBe((await sealedTexts()).length);
    expect(await rotate()).toBe(0);
  });

  it('cut off in the middle, is finished by the next run', async () => {
    for (let each = 0; each < 60; each += 1) await world.create();
    keys = [next, old];
    let batches = 0;
    const database: Service['database'] = {
      ...world.database,
      transaction: (work) => {
        batches += 1;
        return batches > 1 ? Promise.reject(new Error('killed')) : world.database.transaction(work);
      },
    };
    await expect(rotate(database)).rejects.toThrow('killed');
    expect(await sealedWith(old)).toBeGreaterThan(0);
    expect(await sealedWith(next)).toBeGreaterThan(0);
    await rotate();
    expect(await sealedWith(old)).toBe(0);
  });

  it('goes on until nothing more comes from those who still held the old key', async () => {
    keys = [next, old];
    let late = 2;
    await rotate(world.database, async () => {
      if (late === 0) return;
      late -= 1;
      const sealer = world.service.sealer;
      world.service.sealer = sealerWithKey(old);
      await world.create(withContainer('late')).finally(() => (world.service.sealer = sealer));
    });
    expect(late).toBe(0);
    expect(await sealedWith(old)).toBe(0);
  });

  it('never puts an old secret back in place of one that was just changed', async () => {
    const { accountId } = world.actor;
    const context = sealedFor.credential(accountId, 'aws', 'SANDBOX');
    keys = [next, old];
    const change = (secret: string) =>
      world.database.query
        .updateTable('credentials')
        .set({ sealed_secret: world.service.sealer.seal(new Secret(secret), context) })
        .where('vendor', '=', 'aws')
        .execute();
    await Promise.all([rotate(), change('changed meanwhile')]);
    const row = await world.database.query
      .selectFrom('credentials')
      .select('sealed_secret')
      .where('vendor', '=', 'aws')
      .executeTakeFirstOrThrow();
    expect(sealerWithKey(next).unseal(row.sealed_secret, context).reveal()).toBe('changed meanwhile');
  });

  it('says which secret no key opens, and changes nothing of that batch', async () => {
    keys = [next];
    const before = await sealedTexts();
    await expect(rotate()).rejects.toThrow(
      /^What is sealed for "account \w+ credential \w+ SANDBOX" does not open with any key given\./,
    );
    expect(await sealedTexts()).toEqual(before);
  });
});

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type SealingKeys,
  Secret,
  sealedPrefix,
  sealerReading,
  sealerWithKey,
} from '../../../src/basics/secret.ts';
import { createHook, readHook } from '../../../src/operations/automatic/hooks/manage-hook.ts';
import { httpSecret } from '../../../src/operations/registry/keys/http-secret.ts';
import { prepareNextKey, readKeys } from '../../../src/operations/registry/keys/signing-keys.ts';
import { type Service, sealedFor } from '../../../src/operations/service.ts';
import { readLayerKey } from '../../../src/operations/ssh/layer-key.ts';
import { checkSealingKey } from '../../../src/operations/start/first-start.ts';
import { resealEverything } from '../../../src/operations/start/rotate-secrets.ts';
import { withoutKeyPairs } from '../../stand-in-vendor.ts';
import { oneServer, World } from '../../world.ts';

const [old, next] = [randomBytes(32), randomBytes(32)] as const;

let world: World;
/** Keys of the running servers. */
let keys: SealingKeys;
let waits: number[];
beforeEach(async () => {
  world = await World.open();
  keys = [old];
  waits = [];
  world.service.sealer = sealerReading(() => keys);
  await resealSandbox();
  await checkSealingKey(world.service);
});
afterEach(() => world.close());

/** Reseals with `old`, because the world was opened with another key. */
async function resealSandbox(): Promise<void> {
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
  const registryKeys = await query.selectFrom('registry_keys').select('sealed_key as sealed').execute();
  const stackKeys = await query.selectFrom('stack_keys').select('sealed_key as sealed').execute();
  const hooks = await query.selectFrom('deploy_hooks').select('sealed_secret as sealed').execute();
  const checks = await query
    .selectFrom('meta')
    .select('value as sealed')
    .where('key', 'in', ['key_check', 'registry_http_secret'])
    .execute();
  return [...stacks, ...credentials, ...secrets, ...registryKeys, ...stackKeys, ...hooks, ...checks].map(
    ({ sealed }) => sealed,
  );
}

const sealedWith = async (key: Buffer) =>
  (await sealedTexts()).filter((text) => text.startsWith(sealedPrefix(key))).length;

/** Each wait ends immediately, after running `during`. */
const rotate = (database: Service['database'] = world.database, during = async () => {}) => {
  const after = (ms: number, callback: () => void) => {
    waits.push(ms);
    void during().then(callback);
    return () => {};
  };
  return resealEverything({ database, clock: { now: () => world.clock.now(), after } }, keys);
};

describe('resealing everything', () => {
  it('leaves nothing sealed with the old key, and the new key alone unseals everything', async () => {
    const stackId = await world.create(withContainer('registry-4711'));
    await world.settle();
    const { authToken } = await world.describe(stackId);
    const uploads = (await httpSecret(world.service)).reveal();
    const total = (await sealedTexts()).length;
    keys = [next, old];
    expect(await rotate()).toBe(total);
    expect(await sealedWith(next)).toBe(total);

    world.service.sealer = sealerWithKey(next);
    expect((await httpSecret(world.service)).reveal()).toBe(uploads);
    await checkSealingKey(world.service);
    expect((await world.describe(stackId)).authToken).toBe(authToken);
    await world.update(stackId, withContainer('registry-4712'));
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
  });

  it('covers the keys that sign registry tokens, the next one too', async () => {
    await prepareNextKey(world.service);
    const readable = async () =>
      (await readKeys(world.service)).map(({ id, sealed_key }) =>
        world.service.sealer.unseal(sealed_key, sealedFor.registryKey(id)).reveal(),
      );
    const before = await readable();
    expect(before).toHaveLength(2);
    keys = [next, old];
    expect(await rotate()).toBe((await sealedTexts()).length);
    world.service.sealer = sealerWithKey(next);
    expect(await readable()).toEqual(before);
  });

  it('covers the private keys that Almanac makes for the layers of stacks', async () => {
    withoutKeyPairs(world.service);
    const stackId = await world.create(oneServer());
    await world.settle();
    const readable = async () =>
      (await readLayerKey(world.service, await world.row(stackId), 'web0')).reveal();
    const before = await readable();
    keys = [next, old];
    expect(await rotate()).toBe((await sealedTexts()).length);
    world.service.sealer = sealerWithKey(next);
    expect(await readable()).toBe(before);
  });

  it('covers the secrets of deploy hooks', async () => {
    const stackId = await world.create(oneServer());
    const { secret } = await createHook(world.service, world.actor, stackId);
    keys = [next, old];
    expect(await rotate()).toBe((await sealedTexts()).length);
    world.service.sealer = sealerWithKey(next);
    const hook = await readHook(world.service, world.actor, stackId);
    const sealedNow = hook?.sealed_secret ?? '';
    const opened = world.service.sealer.unseal(sealedNow, sealedFor.deployHook(hook?.id ?? ''));
    expect(opened.reveal()).toBe(secret.reveal());
  });

  it('waits longer than the database timeout by default, or as long as configured', async () => {
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

  it('covers more than one batch, and a second run finds nothing to do', async () => {
    for (let each = 0; each < 60; each += 1) await world.create(withContainer(`registry-${each}`));
    keys = [next, old];
    expect(await rotate()).toBe((await sealedTexts()).length);
    expect(await rotate()).toBe(0);
  });

  it('is completed by the next run after an interruption', async () => {
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

  it('continues until servers with the old key store nothing more', async () => {
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

  it('never overwrites a secret that was just changed', async () => {
    const { accountId } = world.actor;
    const context = sealedFor.credential(accountId, 'aws', 'SANDBOX');
    keys = [next, old];
    const change = (secret: string) =>
      world.database.query
        .updateTable('credentials')
        .set({ sealed_secret: world.service.sealer.seal(new Secret(secret), context) })
        .where('vendor', '=', 'aws')
        .execute();
    await Promise.all([rotate(), change('changed concurrently')]);
    const row = await world.database.query
      .selectFrom('credentials')
      .select('sealed_secret')
      .where('vendor', '=', 'aws')
      .executeTakeFirstOrThrow();
    expect(sealerWithKey(next).unseal(row.sealed_secret, context).reveal()).toBe('changed concurrently');
  });

  it('names a secret that no key unseals, and changes nothing in that batch', async () => {
    keys = [next];
    const before = await sealedTexts();
    await expect(rotate()).rejects.toThrow(
      /^The secret sealed for "account \w+ credential \w+ SANDBOX" cannot be unsealed with any of the keys\./,
    );
    expect(await sealedTexts()).toEqual(before);
  });
});

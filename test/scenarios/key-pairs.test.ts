import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLayerKey } from '../../src/operations/ssh/layer-key.ts';
import { publicKeysFor } from '../../src/operations/stacks/settle/key-pairs.ts';
import { leaseMs } from '../../src/reconcile/loop.ts';
import { publicHalf } from '../public-half.ts';
import { withoutKeyPairs } from '../stand-in-vendor.ts';
import { oneServer, World } from '../world.ts';
import { dyingTools } from './crash.ts';

let world: World;
let received: ReturnType<typeof withoutKeyPairs>;
beforeEach(async () => {
  world = await World.open();
  received = withoutKeyPairs(world.service);
});
afterEach(() => world.close());

const layer = (flag: string, keypair: boolean) => ({
  role: 'web',
  flag,
  provision: { availability_zone: 'ap-northeast-1a', keypair },
});
const layers = (...configurations: ReturnType<typeof layer>[]) => ({ ...oneServer(), configurations });
const both = layers(layer('web', true), layer('api', true), layer('bare', false));

const settled = async (template: object): Promise<string> => {
  const stack = await world.create(template);
  await world.settle();
  return stack;
};
const lastKeys = (stack: string): Record<string, string> => received.get(stack)?.at(-1) ?? {};
const privateKey = async (stack: string, flag: string): Promise<string> =>
  (await readLayerKey(world.service, await world.row(stack), flag)).reveal();

describe('a key pair that Almanac makes', () => {
  it('is one for each layer that asks for it; ssh reads the private half, and the cloud gets the public one', async () => {
    const stack = await settled(both);
    const keys = lastKeys(stack);
    expect(Object.keys(keys).toSorted()).toEqual(['api', 'web']);
    for (const flag of ['api', 'web']) {
      expect(keys[flag]).toMatch(/^ssh-ed25519 AAAA\S+ \S+$/);
      expect(publicHalf(await privateKey(stack, flag))).toBe(keys[flag]);
    }
    expect(keys['api']).not.toBe(keys['web']);
    await expect(privateKey(stack, 'bare')).rejects.toThrow('The key pair of layer bare does not exist');
  });

  it('is stored sealed, and differs between stacks', async () => {
    const [one, other] = [await settled(both), await settled(both)];
    expect(lastKeys(one)['web']).not.toBe(lastKeys(other)['web']);
    const secret = (await privateKey(one, 'web')).split('\n')[2] ?? '';
    expect(secret).toHaveLength(70);
    const { query } = world.database;
    const stored = [
      await query.selectFrom('stack_keys').selectAll().execute(),
      await query.selectFrom('versions').selectAll().execute(),
      await query.selectFrom('stacks').selectAll().execute(),
      await query.selectFrom('events').selectAll().execute(),
    ];
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('stays the same in every update, also if its layer was gone in between', async () => {
    const stack = await settled(both);
    const { web } = lastKeys(stack);
    await world.update(stack, layers(layer('api', true)));
    await world.settle();
    await world.update(stack, both);
    await world.settle();
    expect(received.get(stack)?.length).toBeGreaterThanOrEqual(3);
    expect(lastKeys(stack)['web']).toBe(web);
    expect(publicHalf(await privateKey(stack, 'web'))).toBe(web);
  });

  it('is the same for servers that need it at the same time', async () => {
    const stack = await world.create(both);
    const row = await world.row(stack);
    const made = await Promise.all(Array.from({ length: 8 }, () => publicKeysFor(world.service, row)));
    expect(new Set(made.map((keys) => keys.get('web'))).size).toBe(1);
    await world.settle();
    expect(lastKeys(stack)['web']).toBe(made[0]?.get('web'));
  });

  it('is the same after a crash at any moment of the creation', async () => {
    for (let act = 1; act <= 6; act += 1)
      for (const moment of ['before', 'after'] as const) {
        const stack = await world.create(both);
        const { tools } = dyingTools(world.tools, { act, moment });
        await world.settle(world.worker('dying', tools));
        world.clock.advance(leaseMs + 1);
        await world.settle(world.worker('successor'));
        const keys = (received.get(stack) ?? []).map(({ web }) => web);
        expect(new Set(keys).size).toBe(1);
        expect(publicHalf(await privateKey(stack, 'web'))).toBe(keys[0]);
      }
  });

  it('is never made by a server that lost its claim: nothing of a deleted stack is stored', async () => {
    const stack = await world.create(both);
    const stalled = await world.row(stack);
    await world.settle();
    await world.delete(stack);
    await world.settle();
    await expect(publicKeysFor(world.service, stalled)).rejects.toThrow('Another server works on the stack');
    expect(await world.database.query.selectFrom('stack_keys').selectAll().execute()).toEqual([]);
  });

  it('is deleted with the stack', async () => {
    const [stack, other] = [await settled(both), await settled(both)];
    await world.delete(stack);
    await world.settle();
    const rows = await world.database.query.selectFrom('stack_keys').select('stack_id').execute();
    expect(new Set(rows.map(({ stack_id: id }) => id))).toEqual(new Set([other]));
  });
});

it('a vendor that makes key pairs itself gets none', async () => {
  const own = await World.open();
  try {
    await own.create(both);
    await own.settle();
    expect(await own.database.query.selectFrom('stack_keys').selectAll().execute()).toEqual([]);
  } finally {
    await own.close();
  }
});

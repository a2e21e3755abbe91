import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import { fixedServers, sampleDatabase, sampleModel } from '../vendors/sample-model.ts';
import { databasesOf } from './world/data-world.ts';
import { idsAt, makeStack, storesAt } from './world/make-stack.ts';
import { AlicloudWorld, newStack, viewOf } from './world/world.ts';

const redis = { name: 'cache', engine: 'redis', nodeType: 'redis.master.small.default', nodes: 1 } as const;
const mysql = sampleModel({ databases: [sampleDatabase()] });

let world: AlicloudWorld;
beforeAll(async () => {
  world = await AlicloudWorld.start();
});
afterAll(() => world.close());
afterEach(() => world.double.clear('faults'));
const made = (model: StackModel) => makeStack(world, model);

describe('the stores of a stack on a double of ROS', () => {
  it('are its database, its cache and the disks of its servers, by their own ids', async () => {
    const at = await made({ ...fixedServers(2), databases: [sampleDatabase()], caches: [redis] });
    const { instances, databases, caches } = await at.view();
    const disk = { resource: 'InstancesWeb0', kind: 'disk', name: 'web0', usable: true };
    expect(await storesAt(at)).toMatchObject([
      ...instances.map(({ id, image }) => Object.assign({ id: `${id}:${image}` }, disk)),
      {
        resource: 'Databaseapp',
        kind: 'database',
        name: 'app',
        id: databases[0]?.id,
        usable: true,
        sizeGib: 20,
      },
      { resource: 'Rediscache', kind: 'cache', name: 'cache', id: caches[0]?.id, usable: true },
    ]);
  });

  it('cost no call when nothing changes', async () => {
    const at = await made({ ...mysql, caches: [redis] });
    await at.observe();
    world.clock.advance(600_000);
    const from = world.sent.length;
    await at.observe();
    expect(
      world.sent
        .slice(from)
        .map(({ call }) => call)
        .toSorted(),
    ).toEqual([
      'ecs.DescribeInstances',
      'r-kvstore.DescribeInstances',
      'rds.DescribeDBInstances',
      'ros.ListStacks',
    ]);
  });

  it('are not usable before the stack is complete, and none when it is gone', async () => {
    const at = world.on(newStack());
    await at.apply(mysql, 'v1');
    for (let step = 0; step < 12; step += 1) {
      const seen = await at.observe();
      if (seen.kind !== 'busy') break;
      for (const { usable } of viewOf(seen).stores ?? []) expect(usable).toBe(false);
      await world.passMoment();
    }
    await at.remove();
    await world.passAll();
    expect((await at.observe()).kind).toBe('absent');
    expect(await storesAt(at)).toEqual([]);
  });

  it('get another disk with another image, and keep it when they restart', async () => {
    const at = await made(fixedServers(1));
    const before = await idsAt(at);
    await at.apply(fixedServers(1, { instanceType: 'ecs.g7.large' }), 'v2');
    await world.passAll();
    expect(await idsAt(at)).toEqual(before);
    await at.apply(fixedServers(1, { machineImage: 'm-bp1customimage0000000' }), 'v3');
    await world.passAll();
    expect(await idsAt(at)).not.toEqual(before);
  });

  it.each(['on', 'off'])(
    'are complete after a failed update (rollback by ROS: %s)',
    async (updateRollback) => {
      await world.double.control('settings', { updateRollback });
      const at = await made(fixedServers(1));
      await world.double.control('faults', {
        kind: 'fail_resource',
        logicalId: 'Rediscache',
        action: 'CREATE',
        preset: 'balance',
      });
      await at.apply({ ...mysql, caches: [redis] }, 'v2');
      await world.passAll();
      const seen = await at.observe();
      expect(seen).toMatchObject({ kind: 'broken', version: 'v2' });
      const found = (viewOf(seen).stores ?? []).filter(({ kind }) => kind === 'database').map(({ id }) => id);
      expect(found).toEqual(await databasesOf(world, at.stack));
      await world.double.control('settings', { updateRollback: 'on' });
    },
  );
});

describe('events on a double of ROS', () => {
  it('have the version of their operation, also when a newer one is noted and never began', async () => {
    const at = await made(fixedServers(1));
    await at.apply(mysql, 'v2');
    await world.passAll();
    await world.double.control('faults', { kind: 'drop', action: 'UpdateStack', times: 1 });
    await expect(at.apply({ ...mysql, caches: [redis] }, 'v3')).rejects.toThrow();
    world.clock.advance(60_000);
    const { events } = await at.view();
    expect(events.length).toBeGreaterThan(1);
    expect(new Set(events.map(({ version }) => version))).toEqual(new Set(['v2']));
  });
});

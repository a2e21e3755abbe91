import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import { triedTag } from '../../src/vendors/alicloud/names.ts';
import { fixedServers, sampleDatabase, sampleModel } from '../vendors/sample-model.ts';
import { AlicloudWorld, newStack } from './world/world.ts';

const withDatabase = sampleModel({ databases: [sampleDatabase()] });
const redis = { name: 'cache', engine: 'redis', nodeType: 'redis.master.small.default', nodes: 1 } as const;
const textOf = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe('failures in a stack on a double of ROS', () => {
  let world: AlicloudWorld;
  beforeAll(async () => {
    world = await AlicloudWorld.start();
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.double.clear('faults');
    await world.double.control('settings', { updateRollback: 'on', refuseAt: 'call', vpcQuota: 1000 });
  });

  const made = async (model: StackModel) => {
    const at = world.on(newStack());
    await at.apply(model, 'v1');
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    return at;
  };
  const fail = (logicalId: string, action: string, preset: string, times = 1) =>
    world.double.control('faults', { kind: 'fail_resource', logicalId, action, preset, times });

  const presets: [string, string, RegExp][] = [
    [
      'a limit of the account',
      'vpc_quota',
      /^VPC \(ALIYUN::ECS::VPC\): The account has reached a limit.*QuotaExceeded\.Vpc/,
    ],
    ['a low balance', 'balance', /Add funds/],
    ['a missing permission', 'ram', /Forbidden\.RAM: Access denied by RAM/],
  ];
  it.each(presets)(
    '%s fails a creation with its reason, and a later apply makes the stack',
    async (_, preset, reason) => {
      await fail('VPC', 'CREATE', preset);
      const at = world.on(newStack());
      await at.apply(fixedServers(1), 'v1');
      await world.passAll();
      expect(await at.observe()).toMatchObject({
        kind: 'broken',
        doing: 'apply',
        version: 'v1',
        terminal: true,
        reason: textOf(reason),
      });
      // One step deletes what is left, the next creates it.
      await at.apply(fixedServers(1), 'v2');
      await world.passAll();
      expect((await at.observe()).kind).toBe('absent');
      await at.apply(fixedServers(1), 'v2');
      await world.passAll();
      expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    },
  );

  it.each(['on', 'off'])(
    'a failed update names its version, and the stack goes back (rollback by ROS: %s)',
    async (updateRollback) => {
      await world.double.control('settings', { updateRollback });
      const at = await made(fixedServers(1));
      await fail('Databaseapp', 'CREATE', 'balance');
      await at.apply(withDatabase, 'v2');
      await world.passAll();
      expect(await at.observe()).toMatchObject({
        kind: 'broken',
        version: 'v2',
        reason: textOf(/Databaseapp.*NotEnoughBalance/),
      });
      // Another server, which has never seen the stack, says the same.
      expect(await world.as().on(at.stack).observe()).toMatchObject({ kind: 'broken', version: 'v2' });
      await at.apply(fixedServers(1), 'v1');
      await world.passAll();
      expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect((await at.view()).databases).toEqual([]);
    },
  );

  it('an update that could not be undone is blocked, says so, and another update ends it', async () => {
    const at = await made(fixedServers(1));
    await fail('VPC', 'UPDATE', 'ram', 2);
    await at.apply(withDatabase, 'v2');
    await world.passAll();
    expect(await at.observe()).toMatchObject({
      kind: 'broken',
      version: 'v2',
      blocked: true,
      reason: textOf(/^The update failed: VPC.*Undoing it failed too: VPC/),
    });
    await at.apply(fixedServers(1), 'v3');
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v3' });
  });

  it.each(['on', 'off'])(
    'an update that fails after it deleted a database says that the data is gone (rollback by ROS: %s)',
    async (updateRollback) => {
      await world.double.control('settings', { updateRollback });
      const at = await made({ ...withDatabase, caches: [redis] });
      await fail('Rediscache', 'DELETE', 'sg_in_use');
      await at.apply(fixedServers(1), 'v2');
      await world.passAll();
      expect(await at.observe()).toMatchObject({
        kind: 'broken',
        version: 'v2',
        reason: textOf(/^Rediscache.* group\. The update had deleted Databaseapp before: .* empty\.$/),
      });
    },
  );

  it('an update that was noted but never began does not count as tried', async () => {
    const at = await made(fixedServers(1));
    // The answer to the note is lost, as in a crash between the two calls.
    await world.double.control('faults', { kind: 'lost_answer', action: 'TagResources', times: 1 });
    await expect(at.apply(fixedServers(2), 'v2')).rejects.toThrow('TagResources');
    const other = world.as().on(at.stack);
    world.clock.advance(60_000);
    expect(await other.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    await other.apply(fixedServers(2), 'v2');
    await world.passAll();
    expect(await other.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
  });

  it('a note on a broken stack whose update never began leaves every version an attempt', async () => {
    const at = await made(fixedServers(1));
    await fail('Databaseapp', 'CREATE', 'balance');
    await at.apply(withDatabase, 'v2');
    await world.passAll();
    await at.observe();
    await world.double.control('faults', { kind: 'drop', action: 'UpdateStack', times: 1 });
    await expect(at.apply(fixedServers(2), 'v3')).rejects.toThrow();
    world.clock.advance(60_000);
    const tags = Object.values((await world.double.state()).stacks).find(
      ({ name }) => name === `alm-${at.stack.id}`,
    );
    expect(tags?.tags.find(({ Key }) => Key === triedTag)?.Value).toMatch(/^v3@/);
    expect(await at.observe()).toMatchObject({ kind: 'broken', version: '' });
    await at.apply(fixedServers(2), 'v3');
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v3' });
  });

  it('a change that ROS refuses while it runs fails with its words', async () => {
    await world.double.control('settings', { refuseAt: 'run' });
    const at = await made(fixedServers(1));
    await fail('Databaseapp', 'CREATE', 'eip_quota');
    await at.apply(withDatabase, 'v2');
    await world.passAll();
    expect(await at.observe()).toMatchObject({
      kind: 'broken',
      version: 'v2',
      reason: textOf(/QuotaExceeded/),
    });
  });

  describe('a deletion that finds something in use', () => {
    const foreign = async (stackId: string): Promise<void> => {
      const { world: all } = await world.double.state();
      const vpcs = Object.values(all['1000000000000001']?.['ap-northeast-1']?.['vpcs'] ?? {});
      const own = vpcs.find(({ tags }) => JSON.stringify(tags).includes(stackId));
      await world.double.control('foreign', { kind: 'vswitch', vpcId: String(own?.['id']) });
    };

    it('is repeated once after a minute, and counts as failed only then', async () => {
      const at = await made(fixedServers(1));
      await foreign(at.stack.id);
      await at.remove();
      await world.double.control('advance', { settle: true });
      await world.passMoment();
      expect(await at.observe()).toMatchObject({ kind: 'busy', doing: 'remove' });
      world.clock.advance(60_000);
      expect(await at.observe()).toMatchObject({ kind: 'unfinished', doing: 'remove' });
      await at.remove();
      await world.passAll();
      expect(await at.observe()).toMatchObject({
        kind: 'broken',
        doing: 'remove',
        blocked: true,
        reason: textOf(/DependencyViolation/),
      });
    });

    it('succeeds if that is gone by then', async () => {
      const at = await made(fixedServers(1));
      await fail('VPC', 'DELETE', 'vpc_in_use');
      await at.remove();
      await world.double.control('advance', { settle: true });
      await world.passMoment();
      await at.observe();
      world.clock.advance(60_000);
      await at.remove();
      await world.passAll();
      expect((await at.observe()).kind).toBe('absent');
    });
  });

  it('data that a failed deletion left is not deleted by an update', async () => {
    const at = await made(withDatabase);
    await fail('Databaseapp', 'DELETE', 'task_conflict');
    await at.remove();
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'broken', doing: 'remove' });
    expect(await at.apply(withDatabase, 'v2')).toMatchObject({
      accepted: false,
      reason: textOf(/Databaseapp/),
    });
    expect(await at.remove()).toEqual({ accepted: true });
    await world.passAll();
    expect((await at.observe()).kind).toBe('absent');
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fixedServers, sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { AlicloudWorld, newStack, region } from './world/world.ts';

const ess = '2014-08-28';
const groupOf = (min: number, spot = 0) => sampleModel({ layers: [sampleGroup(min, spot)] });

describe('groups on a double of ESS', () => {
  let world: AlicloudWorld;
  beforeAll(async () => {
    world = await AlicloudWorld.start();
  });
  afterAll(() => world.close());
  afterEach(() => world.double.control('settings', { removeBelowMin: 'refuse' }));

  const made = async (model = groupOf(1)) => {
    const at = world.on(newStack());
    await at.apply(model, 'v1');
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled' });
    const ids = async (): Promise<string[]> => {
      world.clock.advance(60_000);
      return (await at.view()).instances.map(({ id }) => id);
    };
    return { ...at, ids, restart: (id: string) => world.driver.restartInstance!(at.stack, id) };
  };
  const groupIdOf = async (stackId: string): Promise<string> => {
    const { world: all } = await world.double.state();
    const members = Object.values(all['1000000000000001']?.[region]?.['inst'] ?? {});
    return String(members.find(({ tags }) => JSON.stringify(tags).includes(stackId))?.['group']);
  };

  it.each(['refuse', 'replace'])(
    'a restarted member of a group of the smallest size is replaced (below it: %s)',
    async (way) => {
      await world.double.control('settings', { removeBelowMin: way });
      const at = await made();
      const [before] = await at.ids();
      expect(await at.restart(before!)).toEqual({ accepted: true, protectionSeconds: 60 });
      const after = await at.ids();
      expect(after).toHaveLength(1);
      expect(after).not.toContain(before);
    },
  );

  it('a hook holds a member that is being replaced, which is shown as shutting down and not restarted twice', async () => {
    const at = await made();
    expect(await world.driver.readLifecycleHook?.(at.stack)).toBeUndefined();
    expect(await world.driver.putLifecycleHook?.(at.stack, 300)).toEqual({ accepted: true });
    expect(await world.driver.putLifecycleHook?.(at.stack, 600)).toEqual({ accepted: true });
    expect(await world.driver.readLifecycleHook?.(at.stack)).toEqual({
      heartbeatSeconds: 600,
      globalTimeoutSeconds: 172_800,
    });
    const [before] = await at.ids();
    expect(await at.restart(before!)).toEqual({ accepted: true, protectionSeconds: 600 });
    world.clock.advance(60_000);
    const states = Object.fromEntries((await at.view()).instances.map(({ id, state }) => [id, state]));
    expect(Object.keys(states)).toHaveLength(2);
    expect(states[before!]).toBe('shutting-down');
    expect(await at.restart(before!)).toEqual({ accepted: true, protectionSeconds: 600 });
    expect(await at.ids()).toHaveLength(2);
  });

  it('a hook does not delay the deletion of the stack, and neither does protection', async () => {
    const at = await made(groupOf(2));
    await world.driver.putLifecycleHook?.(at.stack, 3600);
    const [held] = await at.ids();
    const query = {
      ScalingGroupId: await groupIdOf(at.stack.id),
      'InstanceId.1': held!,
      ProtectedFromScaleIn: 'true',
    };
    await world.double.call({ version: ess, action: 'SetInstancesProtection', query });
    await at.remove();
    const { world: all } = await world.double.state();
    expect(Object.keys(all['1000000000000001']?.[region]?.['hooks'] ?? {})).toHaveLength(1);
    await world.passAll();
    expect((await at.observe()).kind).toBe('absent');
  });

  it('a protected member is restarted all the same, one in standby is not', async () => {
    const at = await made(groupOf(2));
    const [first, second] = await at.ids();
    const ScalingGroupId = await groupIdOf(at.stack.id);
    const change = (action: string, id: string, more: object = {}) =>
      world.double.call({ version: ess, action, query: { ScalingGroupId, 'InstanceId.1': id, ...more } });
    await change('SetInstancesProtection', first!, { ProtectedFromScaleIn: 'true' });
    await change('EnterStandby', second!);
    expect(await at.restart(first!)).toMatchObject({ accepted: true });
    expect(await at.restart(second!)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('standby') as string,
    });
    expect(await at.ids()).not.toContain(first);
  });

  it('a server outside groups is rebooted, and nothing replaces it', async () => {
    const at = await made(fixedServers(1));
    const [id] = await at.ids();
    expect(await at.restart(id!)).toEqual({ accepted: true, protectionSeconds: null });
    const { world: all } = await world.double.state();
    expect(all['1000000000000001']?.[region]?.['inst']?.[id!]?.['reboots']).toBe(1);
    expect(await world.driver.replaceInstance?.(at.stack, id!)).toMatchObject({ accepted: false });
    expect(await world.driver.putLifecycleHook?.(at.stack, 300)).toMatchObject({ accepted: false });
  });

  it('servers of other stacks are not found, and a heartbeat outside the limits is refused', async () => {
    const [one, other] = [await made(), await made()];
    const [id] = await other.ids();
    expect(await one.restart(id!)).toMatchObject({ accepted: false });
    expect(await world.driver.replaceInstance?.(one.stack, id!)).toMatchObject({ accepted: false });
    for (const seconds of [29, 86_401])
      expect(await world.driver.putLifecycleHook?.(one.stack, seconds)).toMatchObject({ accepted: false });
    expect(await other.ids()).toEqual([id]);
  });

  it('a spot server that is reclaimed gets no more requests, and its group has another', async () => {
    const at = await made(groupOf(2, 100));
    const [before] = await at.ids();
    expect((await at.view()).instances.every(({ spot }) => spot)).toBe(true);
    expect(await world.driver.replaceInstance?.(at.stack, before!)).toEqual({ accepted: true });
    const after = await at.ids();
    expect(after).toHaveLength(2);
    expect(after).not.toContain(before);
    const { world: all } = await world.double.state();
    const balancers = Object.values(all['1000000000000001']?.[region]?.['slbs'] ?? {});
    expect(JSON.stringify(balancers)).not.toContain(before);
  });
});

import { describe, expect, it } from 'vitest';
import type { Instance } from '../../../src/vendors/vendor.ts';
import { sampleGroup, sampleModel } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

/** A settled group of two spot instances and one on-demand instance. */
const start = async (speed = 1) => {
  const world = sandboxWorld(speed);
  const stack = world.on(stackNamed('replace'));
  await stack.apply(sampleModel({ layers: [sampleGroup(3, 50)] }), 'v1');
  world.clock.advance(longEnough);
  const { instances } = await stack.view();
  const pick = (matches: (instance: Instance) => boolean) => instances.find(matches)?.id ?? '';
  return {
    ...world,
    ...stack,
    spot: pick(({ spot }) => spot),
    onDemand: pick(({ spot }) => !spot),
    replace: async (id: string) => world.driver.replaceInstance?.(stack.stack, id),
    ids: async () => (await stack.view()).instances.map(({ id }) => id),
  };
};

describe('replaceInstance', () => {
  it.each([0, 1])('replaces an instance once, however often it is called (speed %i)', async (speed) => {
    const { replace, spot, ids, clock } = await start(speed);
    const before = await ids();
    expect(await replace(spot)).toEqual({ accepted: true });
    if (speed > 0) expect(await replace(spot)).toEqual({ accepted: true });
    clock.advance(longEnough);
    expect(await ids()).toHaveLength(3);
    expect(await ids()).not.toContain(spot);
    expect((await ids()).filter((id) => !before.includes(id))).toHaveLength(1);
  });

  it('accepts an instance that a fault or an update is already removing, and adds none', async () => {
    const { replace, inject, apply, spot, ids, clock } = await start();
    await inject({ kind: 'spot_notice', instanceId: spot });
    clock.advance(1000);
    expect(await replace(spot)).toEqual({ accepted: true });
    clock.advance(longEnough);
    expect(await ids()).toHaveLength(3);
    const leaving = await ids();
    await apply(sampleModel({ layers: [sampleGroup(0, 50)] }), 'v2');
    for (const id of leaving) expect(await replace(id)).toEqual({ accepted: true });
    clock.advance(longEnough);
    expect(await ids()).toEqual([]);
  });

  it('refuses an unknown, a removed and an on-demand instance', async () => {
    const { replace, spot, onDemand, ids, clock } = await start();
    expect(await replace('i-elsewhere')).toEqual({
      accepted: false,
      reason: 'There is no instance i-elsewhere.',
    });
    expect(await replace(onDemand)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('is not a spot instance'),
    });
    await replace(spot);
    clock.advance(longEnough);
    expect(await replace(spot)).toMatchObject({ accepted: false });
    expect(await ids()).toHaveLength(3);
  });
});

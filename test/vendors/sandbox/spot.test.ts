import { describe, expect, it } from 'vitest';
import { sampleGroup, sampleModel } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const start = () => {
  const world = sandboxWorld();
  return { ...world, ...world.on(stackNamed('spot')), injectAnywhere: world.inject };
};

describe('the fault spot_notice', () => {
  it('replaces the instance while the stack stays settled, with an event for each step', async () => {
    const { apply, observe, view, inject, clock } = start();
    await apply(sampleModel({ layers: [sampleGroup(3, 50)] }), 'v1');
    clock.advance(longEnough);
    const spots = (await view()).instances.filter((instance) => instance.spot);
    expect(spots).toHaveLength(2);
    const [old] = spots;
    expect(await inject({ kind: 'spot_notice', instanceId: old?.id ?? '' })).toMatchObject({ ok: true });
    expect((await observe()).kind).toBe('settled');
    expect((await view()).instances).toHaveLength(4);
    clock.advance(4_000);
    expect((await view()).instances).toContainEqual({ ...old, state: 'shutting-down' });
    clock.advance(longEnough);
    const { instances, events } = await view();
    expect(instances.map((instance) => instance.id)).not.toContain(old?.id);
    expect(instances.filter((instance) => instance.spot && instance.state === 'running')).toHaveLength(2);
    expect(events.at(-1)?.resource).toBe('SpotInstanceWeb0-0');
    expect(events.slice(-5).map((event) => event.state)).toEqual([
      'SPOT_NOTICE',
      'REPLACEMENT_LAUNCHED',
      'REPLACEMENT_IN_SERVICE',
      'DRAINING',
      'TERMINATED',
    ]);
  });

  it('is stored on the instance', async () => {
    const { apply, inject, cloud, stack, clock } = start();
    await apply(sampleModel({ layers: [sampleGroup(1, 100)] }), 'v1');
    clock.advance(longEnough);
    await inject({ kind: 'spot_notice' });
    const { stack: stored } = await cloud.read(`${stack.accountId}/cred`, stack.id);
    expect(stored?.steps.some((step) => step.resource.noticeAt === clock.now())).toBe(true);
  });

  it('followed by an update leaves one instance per name', async () => {
    const { apply, observe, view, inject, clock } = start();
    await apply(sampleModel({ layers: [sampleGroup(2, 100)] }), 'v1');
    clock.advance(longEnough);
    await inject({ kind: 'spot_notice' });
    clock.advance(1_000);
    await apply(sampleModel({ layers: [sampleGroup(3, 100)] }), 'v2');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('settled');
    expect((await view()).instances).toHaveLength(3);
  });

  it('is rejected without a running spot instance', async () => {
    const { apply, inject, injectAnywhere, clock } = start();
    await apply(sampleModel({ layers: [sampleGroup(2, 0)] }), 'v1');
    clock.advance(longEnough);
    expect(await inject({ kind: 'spot_notice' })).toMatchObject({ ok: false });
    expect(await injectAnywhere({ kind: 'spot_notice', instanceId: 'i-none' })).toMatchObject({ ok: false });
  });
});

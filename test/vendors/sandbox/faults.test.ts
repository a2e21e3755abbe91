import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../src/vendors/vendor.ts';
import { fixedServers } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const start = (speed = 1) => {
  const world = sandboxWorld(speed);
  return { ...world, ...world.on(stackNamed('faults')), injectAnywhere: world.inject };
};

describe('the fault fail_resource', () => {
  it('fails a creation with the name of the resource, and rolls back', async () => {
    const { apply, observe, inject, networks, clock } = start();
    await inject({ kind: 'fail_resource', position: 4, reason: 'The disk is full.' });
    await apply(fixedServers(1), 'v1');
    clock.advance(1_000);
    expect(await networks()).toBe(1);
    clock.advance(longEnough);
    const observation = await observe();
    expect(observation).toMatchObject({
      kind: 'broken',
      reason: 'Subnet SubnetWeb0: The disk is full.',
      view: { instances: [] },
    });
    expect(await networks()).toBe(0);
  });

  it('names a resource whose name is its type once', async () => {
    const { apply, observe, inject, clock } = start();
    await inject({ kind: 'fail_resource', position: 3, reason: 'The disk is full.' });
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    expect(await observe()).toMatchObject({ reason: 'GatewayAttachment: The disk is full.' });
  });

  it('applies once: a retry of the same version succeeds', async () => {
    const { apply, observe, inject, clock } = start();
    await inject({ kind: 'fail_resource', position: 1 });
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('broken');
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
  });

  it('restores the state before a failed update', async () => {
    const { apply, observe, view, inject, networks, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    const { instances, outputs } = await view();
    await inject({ kind: 'fail_resource', position: 2 });
    const desired = fixedServers(3, { securityGroup: { ingress: [], egress: [] } });
    await apply(desired, 'v2');
    clock.advance(longEnough);
    expect(await observe()).toMatchObject({
      kind: 'broken',
      version: 'v2',
      reason: 'Instance InstanceWeb0-2: The resource could not be created.',
    });
    const after = await view();
    expect(after.instances).toEqual(instances);
    expect(after.outputs).toEqual(outputs);
    expect(await networks()).toBe(1);
    await apply(fixedServers(1), 'v3');
    expect((await observe()).kind).toBe('settled');
  });

  it('keeps the address of a server whose creation will fail until it is gone', async () => {
    const { apply, view, inject, clock } = start();
    await inject({ kind: 'fail_resource', position: 8 });
    await apply(fixedServers(1), 'v1');
    clock.advance(2_600);
    await apply(fixedServers(1, { flag: 'Other' }), 'v2');
    clock.advance(1_600);
    const { instances } = await view();
    expect(instances.map(({ flag }) => flag)).toEqual(['Web0', 'Other']);
    expect(new Set(instances.map(({ privateIp }) => privateIp)).size).toBe(2);
    expect(new Set(instances.map(({ publicIp }) => publicIp)).size).toBe(2);
  });

  it('without a stack, fails the next apply with enough creations', async () => {
    const { apply, observe, injectAnywhere, on, clock } = start();
    await injectAnywhere({ kind: 'fail_resource', position: 9 });
    await apply(fixedServers(1), 'v1');
    const other = on(stackNamed('bigger'));
    await other.apply(fixedServers(5), 'w1');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('settled');
    expect((await other.observe()).kind).toBe('broken');
  });

  it('with a stack, does not fail other stacks', async () => {
    const { apply, observe, injectAnywhere, on, clock } = start();
    await injectAnywhere({ kind: 'fail_resource', position: 1 }, stackNamed('other'));
    await apply(fixedServers(1), 'v1');
    const other = on(stackNamed('other'));
    await other.apply(fixedServers(1), 'w1');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('settled');
    expect((await other.observe()).kind).toBe('broken');
  });
});

it('the faults of a removed stack are forgotten together with it, and those of others stay', async () => {
  const { apply, remove, inject, injectAnywhere, driver, on, clock } = start();
  await apply(fixedServers(1), 'v1');
  clock.advance(longEnough);
  await inject({ kind: 'fail_resource', position: 1 });
  await injectAnywhere({ kind: 'fail_resource', position: 99 });
  await remove();
  clock.advance(2 * 3_600_000);
  await on(stackNamed('other')).apply(fixedServers(1), 'w1');
  expect(await driver.listFaults?.()).toMatchObject([{ stackId: null, position: 99 }]);
});

describe('the fault unreachable', () => {
  it('makes one stack unreachable for the given time, while work in progress continues', async () => {
    const { apply, remove, observe, inject, on, clock } = start();
    await apply(fixedServers(1), 'v1');
    await inject({ kind: 'unreachable', seconds: 30 });
    expect((await observe()).kind).toBe('unreachable');
    await expect(apply(fixedServers(1), 'v2')).rejects.toThrow(Unreachable);
    await expect(remove()).rejects.toThrow(Unreachable);
    expect((await on(stackNamed('other')).observe()).kind).toBe('absent');
    clock.advance(30_000);
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
  });

  it('without a stack, makes the whole cloud account unreachable until it is cleared', async () => {
    const { observe, injectAnywhere } = start();
    await injectAnywhere({ kind: 'unreachable', seconds: 3_600 });
    expect((await observe()).kind).toBe('unreachable');
    await injectAnywhere({ kind: 'clear' });
    expect((await observe()).kind).toBe('absent');
  });
});

describe('the fault share_resource', () => {
  it('fails the removal until the fault is cleared and the removal is retried', async () => {
    const { apply, remove, observe, inject, networks, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    await inject({ kind: 'share_resource', withStack: 'mo-other' });
    for (let attempt = 0; attempt < 2; attempt++) {
      await remove();
      clock.advance(longEnough);
      expect(await observe()).toMatchObject({
        kind: 'broken',
        doing: 'remove',
        terminal: true,
        reason: 'SecurityGroup SecurityGroupWeb0 is in use by stack mo-other',
      });
      expect(await networks()).toBe(1);
    }
    await inject({ kind: 'clear' });
    await remove();
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('absent');
    expect(await networks()).toBe(0);
  });

  it('fails the removal at speed 0 too', async () => {
    const { apply, remove, observe, inject } = start(0);
    await apply(fixedServers(1), 'v1');
    await inject({ kind: 'share_resource', resource: 'VPC', withStack: 'mo-other' });
    await remove();
    expect(await observe()).toMatchObject({
      kind: 'broken',
      reason: 'VirtualNetwork VPC is in use by stack mo-other',
      view: { instances: [] },
    });
  });

  it('leaves a stack that accepts another apply', async () => {
    const { apply, remove, observe, view, inject, clock } = start();
    await apply(fixedServers(2), 'v1');
    clock.advance(longEnough);
    await inject({ kind: 'share_resource', withStack: 'mo-other' });
    await remove();
    clock.advance(longEnough);
    await apply(fixedServers(2), 'v2');
    clock.advance(longEnough);
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    expect((await view()).instances).toHaveLength(2);
  });
});

describe('an invalid fault', () => {
  it.each([
    ['position', { kind: 'fail_resource', position: 0 }],
    ['seconds', { kind: 'unreachable', seconds: -1 }],
    ['stack', { kind: 'share_resource', withStack: 'mo-other' }],
  ] as const)('is rejected with the path %s', async (path, fault) => {
    const { injectAnywhere } = start();
    expect(await injectAnywhere(fault)).toMatchObject({ ok: false, problems: [{ path }] });
  });

  it('is rejected if the shared resource does not exist, or the other stack is the same', async () => {
    const { apply, inject, stack } = start(0);
    await apply(fixedServers(1), 'v1');
    expect(await inject({ kind: 'share_resource', resource: 'None', withStack: 'mo-x' })).toMatchObject({
      problems: [{ path: 'resource' }],
    });
    expect(await inject({ kind: 'share_resource', withStack: stack.id })).toMatchObject({
      problems: [{ path: 'withStack' }],
    });
  });
});

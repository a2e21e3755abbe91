import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../src/vendors/vendor.ts';
import { fixedServers } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const start = (speed = 1) => {
  const world = sandboxWorld(speed);
  return { ...world, ...world.on(stackNamed('trouble')), injectAnywhere: world.inject };
};

describe('fail_resource', () => {
  it('breaks a creation, names the resource, and rolls back what was made', async () => {
    const { apply, observe, inject, networks, clock } = start();
    await inject({ kind: 'fail_resource', position: 4, reason: 'The pretend disk is full.' });
    await apply(fixedServers(1), 'v1');
    clock.advance(1_000);
    expect(await networks()).toBe(1);
    clock.advance(longEnough);
    const observation = await observe();
    expect(observation).toMatchObject({
      kind: 'broken',
      reason: 'Subnet SubnetWeb0: The pretend disk is full.',
      view: { instances: [] },
    });
    expect(await networks()).toBe(0);
  });

  it('strikes once: the next version, or the same one tried again, succeeds', async () => {
    const { apply, observe, inject, clock } = start();
    await inject({ kind: 'fail_resource', position: 1 });
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('broken');
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
  });

  it('leaves the state before a failed update as it was', async () => {
    const { apply, observe, view, inject, networks, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    const { instances, outputs } = await view();
    await inject({ kind: 'fail_resource', position: 2 });
    const wanted = fixedServers(3, { securityGroup: { ingress: [], egress: [] } });
    await apply(wanted, 'v2');
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

  it('without a stack strikes whichever is applied next, and waits for an apply that is big enough', async () => {
    const { apply, observe, injectAnywhere, on, clock } = start();
    await injectAnywhere({ kind: 'fail_resource', position: 9 });
    await apply(fixedServers(1), 'v1');
    const other = on(stackNamed('bigger'));
    await other.apply(fixedServers(5), 'w1');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('settled');
    expect((await other.observe()).kind).toBe('broken');
  });

  it('given for one stack spares the others', async () => {
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

describe('unreachable', () => {
  it('hides one stack for the time asked, and what had begun goes on behind it', async () => {
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

  it('without a stack hides the whole cloud account until it is cleared', async () => {
    const { observe, injectAnywhere } = start();
    await injectAnywhere({ kind: 'unreachable', seconds: 3_600 });
    expect((await observe()).kind).toBe('unreachable');
    await injectAnywhere({ kind: 'clear' });
    expect((await observe()).kind).toBe('absent');
  });
});

describe('share_resource', () => {
  it('breaks the removal until the share is cleared and the removal is tried again', async () => {
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

  it('breaks the removal at speed 0 too', async () => {
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

  it('leaves a stack that can be applied again', async () => {
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

describe('a fault that makes no sense', () => {
  it.each([
    ['position', { kind: 'fail_resource', position: 0 }],
    ['seconds', { kind: 'unreachable', seconds: -1 }],
    ['stack', { kind: 'share_resource', withStack: 'mo-other' }],
  ] as const)('is refused, naming %s', async (path, fault) => {
    const { injectAnywhere } = start();
    expect(await injectAnywhere(fault)).toMatchObject({ ok: false, problems: [{ path }] });
  });

  it('is refused where the resource to share is not there, or the other stack is itself', async () => {
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

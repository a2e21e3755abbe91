import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { fixedServers } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const full = async () => {
  const world = sandboxWorld();
  const stacks = Array.from({ length: 20 }, (_, index) => world.on(stackNamed(`s${index}`)));
  for (const stack of stacks) await stack.apply(fixedServers(1), 'v1');
  return { ...world, stacks, last: world.on(stackNamed('last')) };
};

describe('the quota of 20 networks per region', () => {
  it('fails the 21st stack, which then has no network', async () => {
    const { stacks, last, clock } = await full();
    await last.apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    for (const stack of stacks) expect((await stack.observe()).kind).toBe('settled');
    expect(await last.observe()).toMatchObject({
      kind: 'broken',
      doing: 'apply',
      version: 'v1',
      terminal: true,
      reason: 'VirtualNetwork VPC: The maximum number of VPCs has been reached (20 per region).',
      view: { instances: [], outputs: [] },
    });
    expect(await last.networks()).toBe(0);
    await last.remove();
    expect((await last.observe()).kind).toBe('absent');
  });

  it('counts each region and each credential separately', async () => {
    const { on, connect, compiled, clock } = await full();
    const elsewhere = on(stackNamed('elsewhere', 'us-east-1'));
    await elsewhere.apply(fixedServers(1), 'v1');
    const other = connect('other');
    const stack = stackNamed('foreign');
    await other.apply(stack, {
      document: compiled(fixedServers(1), stack.id),
      version: 'v1',
      agentToken: new Secret('agent'),
    });
    clock.advance(longEnough);
    expect((await elsewhere.observe()).kind).toBe('settled');
    expect((await other.observe(stack)).kind).toBe('settled');
  });

  it('counts a network until its removal has ended', async () => {
    const { stacks, last, clock } = await full();
    clock.advance(longEnough);
    await stacks[0]?.remove();
    clock.advance(1_000);
    await last.apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    expect((await last.observe()).kind).toBe('broken');
    await last.apply(fixedServers(1), 'v2');
    clock.advance(longEnough);
    expect(await last.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
  });

  it('does not block updates of stacks that have their network', async () => {
    const { stacks, clock } = await full();
    clock.advance(longEnough);
    await stacks[3]?.apply(fixedServers(2), 'v2');
    clock.advance(longEnough);
    expect(await stacks[3]?.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
  });
});

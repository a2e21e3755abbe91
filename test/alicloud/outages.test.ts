import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { CredentialRejected, Unreachable } from '../../src/vendors/vendor.ts';
import { fixedServers, sampleDatabase, sampleModel } from '../vendors/sample-model.ts';
import { AlicloudWorld, newStack } from './world/world.ts';

const withDatabase = sampleModel({ databases: [sampleDatabase()] });

describe('outages of a double of ROS', () => {
  let world: AlicloudWorld;
  beforeAll(async () => {
    world = await AlicloudWorld.start();
  });
  afterAll(() => world.close());
  afterEach(() => world.double.clear('faults'));

  const inject = (fault: object) => world.double.control('faults', fault);
  const made = async () => {
    const at = world.on(newStack());
    await at.apply(fixedServers(1), 'v1');
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    return at;
  };
  const countOf = async (stackId: string): Promise<number> =>
    Object.values((await world.double.state()).stacks).filter(
      ({ name, status }) => name === `alm-${stackId}` && status !== 'DELETE_COMPLETE',
    ).length;

  const kinds: [string, object][] = [
    ['throttling', { kind: 'throttle' }],
    ['cut connections', { kind: 'drop' }],
    ['a gateway that answers with a page', { kind: 'status', status: 502, html: true }],
    ['a service that is not available', { kind: 'status', status: 503 }],
  ];
  describe.each(kinds)('with %s', (_, fault) => {
    it('a stack is unreachable, not absent, and can be observed afterwards', async () => {
      const at = await made();
      await inject({ ...fault, times: 100 });
      world.clock.advance(60_000);
      expect(await at.observe()).toMatchObject({ kind: 'unreachable' });
      await world.double.clear('faults');
      expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    });

    it('a deletion throws Unreachable and does not start', async () => {
      const at = await made();
      await inject({ ...fault, times: 100 });
      world.clock.advance(60_000);
      await expect(at.remove()).rejects.toThrow(Unreachable);
      await world.double.clear('faults');
      expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    });
  });

  it('a read whose connection is cut once is repeated', async () => {
    const at = await made();
    await inject({ kind: 'drop', action: 'ListStacks', times: 1 });
    world.clock.advance(60_000);
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
  });

  it.each(['CreateStack', 'CreateSecretParameter'])(
    'a lost answer to %s does not make a second stack',
    async (action) => {
      const at = world.on(newStack());
      await inject({ kind: 'lost_answer', action, times: 1 });
      // Without a container there is no agent, and so no secret.
      await at
        .apply(fixedServers(1), 'v1')
        .catch((cause: unknown) => expect(cause).toBeInstanceOf(Unreachable));
      for (const server of [world, world.as()]) await server.on(at.stack).apply(fixedServers(1), 'v1');
      await world.passAll();
      expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect(await countOf(at.stack.id)).toBe(1);
      expect((await at.view()).instances).toHaveLength(1);
    },
  );

  it('a creation that was cut off leaves no secrets when the stack is deleted', async () => {
    const at = world.on(newStack());
    await inject({ kind: 'drop', action: 'CreateStack', times: 1 });
    await expect(at.apply(withDatabase, 'v1')).rejects.toThrow(Unreachable);
    const secretsOfStack = async () =>
      Object.values((await world.double.state()).secrets).filter(({ name }) => name.includes(at.stack.id));
    expect(await secretsOfStack()).not.toEqual([]);
    const other = world.as().on(at.stack);
    expect((await other.observe()).kind).toBe('absent');
    expect(await other.remove()).toEqual({ accepted: true });
    expect(await secretsOfStack()).toEqual([]);
  });

  it.each(['UpdateStack', 'TagResources'])(
    'a lost answer to %s does not lose or repeat the update',
    async (action) => {
      const at = await made();
      await inject({ kind: 'lost_answer', action, times: 1 });
      await expect(at.apply(fixedServers(2), 'v2')).rejects.toThrow(Unreachable);
      await world.as().on(at.stack).apply(fixedServers(2), 'v2');
      await world.passAll();
      const after = world.as().on(at.stack);
      expect(await after.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
      expect((await after.view()).instances).toHaveLength(2);
      expect((await world.double.calls())['ros.UpdateStack']).toBeGreaterThan(0);
    },
  );

  it('a lost answer to DeleteStack does not keep the stack or its secrets', async () => {
    const at = await made();
    await inject({ kind: 'lost_answer', action: 'DeleteStack', times: 1 });
    await expect(at.remove()).rejects.toThrow(Unreachable);
    await world.as().on(at.stack).remove();
    await world.passAll();
    expect((await world.as().on(at.stack).observe()).kind).toBe('absent');
  });

  it('a missing permission and a wrong key wait for a person, and say what to do', async () => {
    const at = await made();
    await inject({ kind: 'deny', times: 100 });
    world.clock.advance(60_000);
    await expect(world.driver.observe(at.stack)).rejects.toThrow(CredentialRejected);
    await expect(world.driver.observe(at.stack)).rejects.toThrow('almanac alicloud-policy');
    await world.double.clear('faults');
    const wrong = world.as({ secret: new Secret('wrong') });
    await expect(wrong.driver.observe(at.stack)).rejects.toThrow(
      'The secret does not belong to the access key',
    );
  });

  it('a key is verified without a permission, and a role must belong to its account', async () => {
    const check = (access: object) => world.vendor.verify?.({ ...world.access, ...access });
    expect(await check({})).toEqual({ accepted: true });
    expect(await check({ secret: new Secret('wrong') })).toMatchObject({ accepted: false });
    expect(await check({ credentialId: 'LTAIunknown' })).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('does not know the access key') as string,
    });
    expect(await check({ role: 'almanac' })).toEqual({ accepted: true });
    expect(await check({ role: 'acs:ram::1000000000000001:role/almanac' })).toEqual({ accepted: true });
    for (const role of ['acs:ram::2:role/almanac', 'arn:aws:iam::123456789012:role/x'])
      expect(await check({ role })).toMatchObject({ accepted: false });
  });
});

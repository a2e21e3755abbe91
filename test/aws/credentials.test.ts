import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { startMoto } from './world/simulator.ts';
import { everything, makeUser } from './world/users.ts';
import { AwsWorld, newStack } from './world/world.ts';

describe('aws keys (on stock moto, which asks for keys, signatures and rights)', () => {
  let world: AwsWorld;
  let good: { credentialId: string; secret: Secret };
  let powerless: { credentialId: string; secret: Secret };
  beforeAll(async () => {
    world = await AwsWorld.before(startMoto());
    good = await makeUser(world.cloud, 'good', everything);
    powerless = await makeUser(world.cloud, 'powerless', null);
  });
  afterAll(() => world.close());

  const verified = (access: object) => world.vendor.verify?.({ ...world.access, ...access });
  const unknown = { credentialId: 'AKIAUNKNOWN', secret: new Secret('whatever') };

  it('takes a key that AWS knows, also one without any right', async () => {
    expect(await verified(good)).toEqual({ accepted: true });
    expect(await verified(powerless)).toEqual({ accepted: true });
  });

  it('says of an unknown key, a wrong secret and a role of another account what is wrong', async () => {
    expect(await verified(unknown)).toEqual({
      accepted: false,
      reason: expect.stringMatching(/does not know the access key.*InvalidClientTokenId/),
    });
    expect(await verified({ ...good, secret: new Secret('wrong') })).toEqual({
      accepted: false,
      reason: expect.stringMatching(/secret does not belong.*SignatureDoesNotMatch/),
    });
    expect(await verified({ ...good, role: 'arn:aws:iam::999999999999:role/cloudformation' })).toEqual({
      accepted: false,
      reason: expect.stringContaining('999999999999'),
    });
    expect(await verified({ ...good, role: 'arn:aws:iam::123456789012:role/cloudformation' })).toEqual({
      accepted: true,
    });
  });

  it('does not take a stack for gone because the key is not taken any more', async () => {
    const stack = newStack();
    for (const access of [unknown, { ...good, secret: new Secret('wrong') }])
      await expect(world.as(access).on(stack).observe()).rejects.toThrow(/access key|secret/);
    await expect(world.as(powerless).on(stack).observe()).rejects.toThrow(
      /lacks a permission.*cloudformation:DescribeStacks/,
    );
    expect((await world.as(good).on(stack).observe()).kind).toBe('absent');
  });

  it('refuses a document at once where the key may not ask what it leaves open', async () => {
    for (const access of [unknown, powerless])
      expect(await world.vendor.choose?.({ ...world.access, ...access }, fixedServers(1), null)).toEqual({
        ok: false,
        problems: [{ path: 'vendor', message: expect.stringMatching(/access key|lacks a permission/) }],
      });
  });

  it('refuses what the key may not do, naming the right', async () => {
    const able = world.as(good);
    const stack = newStack();
    const document = await able.compiled(stack, fixedServers(1));
    const looker = await makeUser(world.cloud, 'looker', {
      ...everything,
      // Moto's refusals of the Parameter Store are not written as AWS writes them, so those rights are given.
      Statement: [
        {
          Sid: 'Look',
          Effect: 'Allow',
          Action: ['cloudformation:DescribeStacks', 'ssm:PutParameter'],
          Resource: '*',
        },
      ],
    });
    const answer = await world
      .as(looker)
      .driver.apply(stack, { document, version: 'v1', agentToken: new Secret('token') });
    expect(answer).toEqual({
      accepted: false,
      reason: expect.stringContaining('cloudformation:CreateStack'),
    });
  });
});

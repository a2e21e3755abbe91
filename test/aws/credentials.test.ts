import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { startMoto } from './world/simulator.ts';
import { everything, makeUser } from './world/users.ts';
import { AwsWorld, newStack } from './world/world.ts';

describe('AWS keys (on stock moto, which checks keys, signatures and permissions)', () => {
  let world: AwsWorld;
  let good: { credentialId: string; secret: Secret };
  let powerless: { credentialId: string; secret: Secret };
  beforeAll(async () => {
    world = await AwsWorld.start(startMoto());
    good = await makeUser(world.cloud, 'good', everything);
    powerless = await makeUser(world.cloud, 'powerless', null);
  });
  afterAll(() => world.close());

  const verified = (access: object) => world.vendor.verify?.({ ...world.access, ...access });
  const unknown = { credentialId: 'AKIAUNKNOWN', secret: new Secret('whatever') };

  it('accepts a key that AWS knows, even without permissions', async () => {
    expect(await verified(good)).toEqual({ accepted: true });
    expect(await verified(powerless)).toEqual({ accepted: true });
  });

  it('explains what is wrong with an unknown key, a wrong secret and a role of another account', async () => {
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

  it('does not report a stack as absent when AWS rejects the key', async () => {
    const stack = newStack();
    for (const access of [unknown, { ...good, secret: new Secret('wrong') }])
      await expect(world.as(access).on(stack).observe()).rejects.toThrow(/access key|secret/);
    await expect(world.as(powerless).on(stack).observe()).rejects.toThrow(
      /lacks a permission.*cloudformation:DescribeStacks/,
    );
    expect((await world.as(good).on(stack).observe()).kind).toBe('absent');
  });

  it('rejects a document if the key may not read what it leaves open', async () => {
    for (const access of [unknown, powerless])
      expect(await world.vendor.choose?.({ ...world.access, ...access }, fixedServers(1), null)).toEqual({
        ok: false,
        problems: [{ path: 'vendor', message: expect.stringMatching(/access key|lacks a permission/) }],
      });
  });

  it('refuses an operation for which the key lacks a permission, and names the permission', async () => {
    const able = world.as(good);
    const stack = newStack();
    const document = await able.compiled(stack, fixedServers(1));
    const reader = await makeUser(world.cloud, 'reader', {
      ...everything,
      // Moto's errors for Parameter Store differ from those of AWS, so grant that permission.
      Statement: [
        {
          Sid: 'Read',
          Effect: 'Allow',
          Action: ['cloudformation:DescribeStacks', 'ssm:PutParameter'],
          Resource: '*',
        },
      ],
    });
    const answer = await world
      .as(reader)
      .driver.apply(stack, { document, version: 'v1', agentToken: new Secret('token') });
    expect(answer).toEqual({
      accepted: false,
      reason: expect.stringContaining('cloudformation:CreateStack'),
    });
  });
});

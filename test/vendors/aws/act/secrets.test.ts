import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import { putAgentToken, removeAgentToken } from '../../../../src/vendors/aws/act/agent-token.ts';
import { readDatabasePassword } from '../../../../src/vendors/aws/act/database-password.ts';
import { readPrivateKey } from '../../../../src/vendors/aws/act/private-key.ts';
import { verify } from '../../../../src/vendors/aws/act/verify.ts';
import { Unreachable } from '../../../../src/vendors/vendor.ts';
import { cannedClients, cannedRegion, cannedStack, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const stack = { id: 's1', accountId: 'a', region: 'ap-northeast-1' };

describe('secrets stored in AWS', () => {
  it('reads the private key of a layer by the id of its key pair', async () => {
    const world = cannedWorld({
      stacks: [cannedStack('s1', { AlmanacKeyPairweb: 'key-1', AlmanacKeyPairapi: 'key-2' })],
      parameters: { '/ec2/keypair/key-1': 'PEM' },
    });
    const region = cannedRegion(world);
    expect((await readPrivateKey(region, stack, 'web'))?.reveal()).toBe('PEM');
    expect(await readPrivateKey(region, stack, 'api')).toBeUndefined();
    expect(await readPrivateKey(region, stack, 'none')).toBeUndefined();
    world.refusals['getParameter'] = awsError('AccessDeniedException', 'not allowed: ssm:GetParameter');
    await expect(readPrivateKey(region, stack, 'web')).rejects.toThrow(Unreachable);
  });

  it('reads the password of the database whose address is DBAddress, in any order of outputs', async () => {
    const outputs = {
      AlmanacSecretaudit: 'of-audit',
      DBAddressaudit: 'audit.example',
      AlmanacSecretmain: 'of-main',
      DBAddress: 'main.example',
    };
    const world = cannedWorld({
      stacks: [cannedStack('s1', outputs)],
      secrets: { 'of-main': '{"username":"app","password":"first"}', 'of-audit': '{"password":"second"}' },
    });
    expect((await readDatabasePassword(cannedRegion(world), stack))?.reveal()).toBe('first');
    world.stacks = [cannedStack('s1', {})];
    expect(await readDatabasePassword(cannedRegion(world), stack)).toBeUndefined();
  });

  it('keeps the last agent token until it is removed', async () => {
    const world = cannedWorld();
    const region = cannedRegion(world);
    await putAgentToken(region, 's1', new Secret('old'));
    await putAgentToken(region, 's1', new Secret('new'));
    expect(world.parameters).toEqual({ '/almanac/s1/agent-token': 'new' });
    await removeAgentToken(region, 's1');
    await removeAgentToken(region, 's1');
    expect(world.parameters).toEqual({});
  });
});

describe('verifying a key', () => {
  it('rejects a key AWS does not know and a role of another account', async () => {
    const world = cannedWorld();
    const clients = cannedClients(world);
    expect(await verify(() => clients)).toEqual({ accepted: true });
    expect(await verify(() => clients, 'arn:aws:iam::111122223333:role/almanac')).toEqual({ accepted: true });
    expect(await verify(() => clients, 'arn:aws:iam::999900001111:role/almanac')).toMatchObject({
      reason: expect.stringContaining('account 999900001111'),
    });
    expect(await verify(() => clients, 'almanac')).toMatchObject({ accepted: false });
    world.refusals['getCallerIdentity'] = awsError('InvalidClientTokenId', 'The token is invalid.', 403);
    expect(await verify(() => clients)).toMatchObject({
      reason: expect.stringContaining('does not know the access key'),
    });
  });

  it('finds keys of China and GovCloud, which only their own partition knows', async () => {
    const nowhere = cannedWorld({
      refusals: { getCallerIdentity: awsError('InvalidClientTokenId', 'The token is invalid.', 403) },
    });
    const knownIn = (known: string) => (region: string) =>
      cannedClients(region === known ? cannedWorld() : nowhere);
    for (const region of ['us-east-1', 'cn-north-1', 'us-gov-west-1'])
      expect(await verify(knownIn(region))).toEqual({ accepted: true });
    const role = 'arn:aws-cn:iam::111122223333:role/almanac';
    expect(await verify(knownIn('cn-north-1'), role)).toEqual({ accepted: true });
    expect(await verify(knownIn('us-east-1'), role)).toMatchObject({ accepted: false });
  });
});

import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import { apply } from '../../../../src/vendors/aws/act/apply.ts';
import { cancelUpdate } from '../../../../src/vendors/aws/act/cancel-update.ts';
import { type AwsDocument, versionParameter } from '../../../../src/vendors/aws/document.ts';
import { CredentialRejected } from '../../../../src/vendors/vendor.ts';
import { type CannedWorld, cannedRegion, cannedStack, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const stack = { id: 's1', accountId: 'a', region: 'ap-northeast-1' };
const inState = (StackStatus: string, version: string) =>
  cannedStack(
    stack.id,
    {},
    { StackStatus, Parameters: [{ ParameterKey: versionParameter, ParameterValue: version }] },
  );

const document = {
  template: { Resources: { Server: { Type: 'AWS::EC2::Instance' } }, Outputs: {} },
} as unknown as AwsDocument;
const server = {
  ResourceType: 'AWS::EC2::Instance',
  LogicalResourceId: 'Server',
  PhysicalResourceId: 'i-1',
};
const untagged = (state: string) => [{ id: 'i-1', tags: {}, state, reboots: 0 }];

const update = async (parts: Partial<CannedWorld>) => {
  const world = cannedWorld({ stacks: [inState('UPDATE_COMPLETE', 'v1')], resources: [server], ...parts });
  const request = { document, version: 'v2', agentToken: new Secret('token') };
  return { answer: await apply(cannedRegion(world), stack, request), updates: world.updates };
};

describe('an update of a stack with servers on AWS (on a fake)', () => {
  it('does not take a server for missing that only lost its tags', async () => {
    const { answer, updates } = await update({ instances: untagged('running') });
    expect(answer).toEqual({ accepted: true });
    expect(updates).toEqual(['v2']);
  });

  it.each([[[]], [untagged('terminated')], [untagged('shutting-down')]])(
    'first leaves out a server that is gone: %j',
    async (instances) => {
      expect((await update({ instances })).updates).toEqual(['v2/recreating']);
    },
  );

  it('goes on if the key may not read the resources of the stack, and says what was not checked', async () => {
    const denied = awsError(
      'AccessDenied',
      'not authorized to perform: cloudformation:ListStackResources',
      403,
    );
    const { answer, updates } = await update({ refusals: { listStackResources: denied } });
    expect(answer).toMatchObject({
      accepted: true,
      note: expect.stringMatching(/^Not checked .*cloudformation:ListStackResources/),
    });
    expect(updates).toEqual(['v2']);
  });

  it('waits if the key has expired', async () => {
    const expired = awsError('ExpiredToken', 'expired', 403);
    await expect(update({ refusals: { listStackResources: expired } })).rejects.toThrow(CredentialRejected);
  });
});

describe('cancelling an update on AWS (on a fake)', () => {
  const cancel = (StackStatus: string, version: string, refusal?: Error) => {
    const refusals = refusal ? { cancelUpdateStack: refusal } : {};
    const world = cannedWorld({ stacks: [inState(StackStatus, version)], refusals });
    return cancelUpdate(cannedRegion(world), stack, 'v2');
  };

  it.each(['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'UPDATE_COMPLETE'])(
    'is too late in %s of the first of two steps: it may have removed data',
    async (status) => {
      expect(await cancel(status, 'v2/recreating')).toMatchObject({ cancelled: false });
    },
  );

  it('with a key that may not do it waits for the permission, and names it', async () => {
    const denied = awsError(
      'AccessDenied',
      'not authorized to perform: cloudformation:CancelUpdateStack',
      403,
    );
    const answer = cancel('UPDATE_IN_PROGRESS', 'v1', denied);
    await expect(answer).rejects.toThrow(CredentialRejected);
    await expect(answer).rejects.toThrow(/cloudformation:CancelUpdateStack/);
  });

  it('is not done if AWS refuses it for any other reason, and says the reason', async () => {
    const refusal = awsError('ValidationError', 'Nobody may stop this');
    expect(await cancel('UPDATE_IN_PROGRESS', 'v1', refusal)).toEqual({
      cancelled: false,
      reason: 'AWS refuses: Nobody may stop this.',
    });
  });
});

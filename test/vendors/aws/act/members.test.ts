import { beforeEach, describe, expect, it } from 'vitest';
import { lifecycleHookName } from '../../../../src/model/hook-name.ts';
import {
  putLifecycleHook,
  readLifecycleHook,
  removeLifecycleHooks,
} from '../../../../src/vendors/aws/act/lifecycle-hook.ts';
import { replaceInstance } from '../../../../src/vendors/aws/act/replace-instance.ts';
import { restartInstance } from '../../../../src/vendors/aws/act/restart.ts';
import { findCloudStack, type Region } from '../../../../src/vendors/aws/region.ts';
import { Unreachable } from '../../../../src/vendors/vendor.ts';
import { type CannedWorld, cannedRegion, cannedStack, cannedWorld } from '../canned-clients.ts';
import { awsError, type CannedGroup } from '../canned-groups.ts';

const stack = { id: 's1', accountId: 'a', region: 'ap-northeast-1' };
const hookName = lifecycleHookName('s1');

const server = (id: string, tags: Record<string, string>, state = 'running') => ({
  id,
  tags,
  state,
  reboots: 0,
});
const member = (id: string, state?: string) =>
  server(id, { 'almanac:stack': 's1', 'aws:autoscaling:groupName': 'group' }, state);

let group: CannedGroup;
let world: CannedWorld;
let region: Region;

beforeEach(() => {
  const members = ['i-1', 'i-2'].map((id) => ({ id, state: 'InService', isProtected: false }));
  group = { name: 'group', targetGroups: ['targets'], members, hooks: {} };
  world = cannedWorld({
    stacks: [cannedStack('s1', { AlmanacGroupweb: 'group' })],
    instances: [
      member('i-1'),
      member('i-2'),
      member('i-gone', 'terminated'),
      server('i-alone', { 'almanac:stack': 's1' }),
      server('i-foreign', { 'almanac:stack': 's2' }),
    ],
    groups: [group],
    targets: { targets: ['i-1', 'i-2'] },
  });
  region = cannedRegion(world);
});

const states = (): string[] => group.members.map(({ id, state }) => `${id} ${state}`);

describe('restarting an instance', () => {
  it('replaces a group member, which stays for a heartbeat of the hook', async () => {
    await putLifecycleHook(region, stack, 300);
    const answer = await restartInstance(region, stack, 'i-1');
    expect(answer).toEqual({ accepted: true, protectionSeconds: 300 });
    expect(states()).toEqual(['i-1 Terminating:Wait', 'i-2 InService', 'i-1-next Pending']);
  });

  it('does nothing to a member that is already terminating', async () => {
    await restartInstance(region, stack, 'i-1');
    const before = states();
    const answer = await restartInstance(region, stack, 'i-1');
    expect(answer).toEqual({ accepted: true, protectionSeconds: 60 });
    expect(states()).toEqual(before);
  });

  it('reboots a server outside a group', async () => {
    const answer = await restartInstance(region, stack, 'i-alone');
    expect(answer).toEqual({ accepted: true, protectionSeconds: null });
    expect(world.instances.find(({ id }) => id === 'i-alone')?.reboots).toBe(1);
  });

  it('rejects servers of other stacks and unknown servers', async () => {
    for (const id of ['i-foreign', 'i-nobody'])
      expect(await restartInstance(region, stack, id)).toEqual({
        accepted: false,
        reason: `There is no instance ${id} in this stack.`,
      });
    expect(world.instances.every(({ reboots }) => reboots === 0)).toBe(true);
  });

  it('returns a refusal for a missing permission, and throws Unreachable when throttled', async () => {
    world.refusals['rebootInstances'] = awsError(
      'UnauthorizedOperation',
      'not allowed: ec2:RebootInstances',
      403,
    );
    expect(await restartInstance(region, stack, 'i-alone')).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('lacks a permission'),
    });
    world.refusals['rebootInstances'] = awsError('RequestLimitExceeded', 'Rate exceeded', 503);
    await expect(restartInstance(region, stack, 'i-alone')).rejects.toThrow(Unreachable);
  });
});

describe('replacing an instance that the cloud reclaims', () => {
  it('deregisters it from the load balancer and has its group launch another', async () => {
    expect(await replaceInstance(region, stack, 'i-1')).toEqual({ accepted: true });
    expect(world.targets).toEqual({ targets: ['i-2'] });
    expect(states()).toEqual(['i-1 Terminating', 'i-2 InService', 'i-1-next Pending']);
  });

  it('can be repeated, even after the instance is gone', async () => {
    await replaceInstance(region, stack, 'i-1');
    const before = states();
    expect(await replaceInstance(region, stack, 'i-1')).toEqual({ accepted: true });
    expect(await replaceInstance(region, stack, 'i-gone')).toEqual({ accepted: true });
    expect(states()).toEqual(before);
  });

  it('replaces it even if the load balancer rejects the deregistration', async () => {
    world.refusals['deregisterTargets'] = awsError('AccessDenied', 'not allowed', 403);
    expect(await replaceInstance(region, stack, 'i-1')).toEqual({ accepted: true });
    expect(states()).toContain('i-1-next Pending');
  });

  it('refuses a server outside a group, which nothing would replace', async () => {
    expect(await replaceInstance(region, stack, 'i-alone')).toMatchObject({ accepted: false });
    expect(await replaceInstance(region, stack, 'i-foreign')).toMatchObject({ accepted: false });
  });
});

describe('the lifecycle hook', () => {
  it('is put on every group, and the last one put is in effect', async () => {
    const other: CannedGroup = { ...group, name: 'other', hooks: {} };
    world.groups.push(other);
    world.stacks = [cannedStack('s1', { AlmanacGroupweb: 'group', AlmanacGroupapi: 'other' })];
    await putLifecycleHook(region, stack, 300);
    expect(await putLifecycleHook(region, stack, 600)).toEqual({ accepted: true });
    for (const { hooks } of [group, other])
      expect(hooks).toEqual({
        [hookName]: expect.objectContaining({ HeartbeatTimeout: 600, DefaultResult: 'CONTINUE' }),
      });
    expect(await readLifecycleHook(region, stack)).toEqual({
      heartbeatSeconds: 600,
      globalTimeoutSeconds: 60_000,
    });
  });

  it('is refused for a stack without a group and for one being deleted', async () => {
    const refusal = async (stacks: CannedWorld['stacks']) => {
      world.stacks = stacks;
      return putLifecycleHook(cannedRegion(world), stack, 300);
    };
    expect(await refusal([])).toMatchObject({ reason: 'The stack does not exist on AWS yet.' });
    expect(await refusal([cannedStack('s1', {})])).toMatchObject({ accepted: false });
    const removing = cannedStack('s1', { AlmanacGroupweb: 'group' }, { StackStatus: 'DELETE_IN_PROGRESS' });
    expect(await refusal([removing])).toMatchObject({ reason: 'The stack is being deleted.' });
    expect(group.hooks).toEqual({});
  });

  it('is removed before its stack, with the scale-in protection of members; missing groups are ignored', async () => {
    world.stacks = [cannedStack('s1', { AlmanacGroupweb: 'group', AlmanacGroupold: 'gone' })];
    group.hooks[hookName] = { HeartbeatTimeout: 300 };
    for (const each of group.members) each.isProtected = true;
    const { value: cloudStack } = await findCloudStack(region, 's1');
    if (!cloudStack) throw new Error('Stack s1 not found.');
    await removeLifecycleHooks(region, cloudStack);
    await removeLifecycleHooks(region, cloudStack);
    expect(group.hooks).toEqual({});
    expect(group.members.some(({ isProtected }) => isProtected)).toBe(false);
    expect(await readLifecycleHook(region, stack)).toBeUndefined();
  });
});

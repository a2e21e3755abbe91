import { beforeEach, describe, expect, it } from 'vitest';
import { lifecycleHookName } from '../../../../src/model/names.ts';
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
  it('has a group replace its member, which is kept for a heartbeat of the hook', async () => {
    await putLifecycleHook(region, stack, 300);
    const answer = await restartInstance(region, stack, 'i-1');
    expect(answer).toEqual({ accepted: true, protectionSeconds: 300 });
    expect(states()).toEqual(['i-1 Terminating:Wait', 'i-2 InService', 'i-1-next Pending']);
  });

  it('leaves a member alone that is leaving already', async () => {
    await restartInstance(region, stack, 'i-1');
    const before = states();
    const answer = await restartInstance(region, stack, 'i-1');
    expect(answer).toEqual({ accepted: true, protectionSeconds: 60 });
    expect(states()).toEqual(before);
  });

  it('reboots a server that is in no group', async () => {
    const answer = await restartInstance(region, stack, 'i-alone');
    expect(answer).toEqual({ accepted: true, protectionSeconds: null });
    expect(world.instances.find(({ id }) => id === 'i-alone')?.reboots).toBe(1);
  });

  it('touches no server of another stack, and knows none that is not there', async () => {
    for (const id of ['i-foreign', 'i-nobody'])
      expect(await restartInstance(region, stack, id)).toEqual({
        accepted: false,
        reason: `There is no instance ${id} in this stack.`,
      });
    expect(world.instances.every(({ reboots }) => reboots === 0)).toBe(true);
  });

  it('tells a missing right as a refusal, and a throttled request as trouble', async () => {
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

describe('replacing an instance the cloud takes back', () => {
  it('takes it from the load balancer, and its group launches another', async () => {
    expect(await replaceInstance(region, stack, 'i-1')).toEqual({ accepted: true });
    expect(world.targets).toEqual({ targets: ['i-2'] });
    expect(states()).toEqual(['i-1 Terminating', 'i-2 InService', 'i-1-next Pending']);
  });

  it('may be repeated, also when the instance is gone', async () => {
    await replaceInstance(region, stack, 'i-1');
    const before = states();
    expect(await replaceInstance(region, stack, 'i-1')).toEqual({ accepted: true });
    expect(await replaceInstance(region, stack, 'i-gone')).toEqual({ accepted: true });
    expect(states()).toEqual(before);
  });

  it('replaces it also where the load balancer refuses to let go of it', async () => {
    world.refusals['deregisterTargets'] = awsError('AccessDenied', 'not allowed', 403);
    expect(await replaceInstance(region, stack, 'i-1')).toEqual({ accepted: true });
    expect(states()).toContain('i-1-next Pending');
  });

  it('refuses a server that nothing would replace', async () => {
    expect(await replaceInstance(region, stack, 'i-alone')).toMatchObject({ accepted: false });
    expect(await replaceInstance(region, stack, 'i-foreign')).toMatchObject({ accepted: false });
  });
});

describe('the lifecycle hook', () => {
  it('is put on every group, and the last one holds', async () => {
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

  it('is refused where there is nothing to put it on, or no longer', async () => {
    const refusal = async (stacks: CannedWorld['stacks']) => {
      world.stacks = stacks;
      return putLifecycleHook(cannedRegion(world), stack, 300);
    };
    expect(await refusal([])).toMatchObject({ reason: 'The stack is not there yet.' });
    expect(await refusal([cannedStack('s1', {})])).toMatchObject({ accepted: false });
    const removing = cannedStack('s1', { AlmanacGroupweb: 'group' }, { StackStatus: 'DELETE_IN_PROGRESS' });
    expect(await refusal([removing])).toMatchObject({ reason: 'The stack is being removed.' });
    expect(group.hooks).toEqual({});
  });

  it('goes before a stack does, with the protection of members; groups that are gone do not matter', async () => {
    world.stacks = [cannedStack('s1', { AlmanacGroupweb: 'group', AlmanacGroupold: 'gone' })];
    group.hooks[hookName] = { HeartbeatTimeout: 300 };
    for (const each of group.members) each.isProtected = true;
    const { value: cloudStack } = await findCloudStack(region, 's1');
    if (!cloudStack) throw new Error('There must be a stack.');
    await removeLifecycleHooks(region, cloudStack);
    await removeLifecycleHooks(region, cloudStack);
    expect(group.hooks).toEqual({});
    expect(group.members.some(({ isProtected }) => isProtected)).toBe(false);
    expect(await readLifecycleHook(region, stack)).toBeUndefined();
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextTurn } from '../../src/basics/clock.ts';
import { rollBack } from '../../src/operations/stacks/change/roll-back.ts';
import { followEvents } from '../../src/operations/stacks/read/follow-events.ts';
import type { SandboxStack } from '../../src/vendors/sandbox/cloud.ts';
import { resourcesAt } from '../../src/vendors/sandbox/timeline.ts';
import { oneServer, World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const created = async (): Promise<string> => {
  const stack = await world.create();
  await world.settle();
  return stack;
};

/** Someone deletes everything of the stack in the cloud, without Almanac. */
const deleteBehindOurBack = async (stack: string): Promise<void> => {
  await world.database.query.deleteFrom('sandbox_stacks').where('stack_id', '=', stack).execute();
};

const stepsOf = async (stack: string) =>
  (await world.story(stack)).filter((line) => line.startsWith('The vendor was asked'));

describe('an update of a stack', () => {
  it('whose deletion failed is accepted, says what it does, and completes the stack', async () => {
    const stack = await created();
    const other = await created();
    await world.fault({ kind: 'share_resource', resource: 'SecurityGroupweb0', withStack: other }, stack);
    await world.delete(stack);
    await world.settle();
    expect((await world.describe(stack)).status).toBe('DELETE_FAILED');
    await world.fault({ kind: 'clear' }, stack);
    await world.update(stack, oneServer(2));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', statusReason: '' });
    expect((await stepsOf(stack)).at(-1)).toMatch(/deletion of the stack failed and is revoked/);
    expect((await world.describe(stack)).view.instances).toHaveLength(2);
  });

  it('is refused while the stack is being deleted', async () => {
    const stack = await created();
    await world.delete(stack);
    await expect(world.update(stack, oneServer(2))).rejects.toThrow(/is being deleted/);
  });

  it('that was deleted outside Almanac tells that it creates everything again', async () => {
    const stack = await created();
    await deleteBehindOurBack(stack);
    await world.advance(301);
    expect(await world.describe(stack)).toMatchObject({
      status: 'CREATE_FAILED',
      statusReason: expect.stringMatching(/deleted outside Almanac.*Update the stack to create them again/),
    });
    await world.update(stack, oneServer(1));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect((await stepsOf(stack)).at(-1)).toMatch(/all its resources are created again/);
    expect((await world.inTheCloud())[stack]).toContain('Instanceweb0-0');
  });
});

/** Someone terminates a server in the cloud, without Almanac. */
const terminateServer = async (stack: string): Promise<string> => {
  const { record } = await world.database.query
    .selectFrom('sandbox_stacks')
    .select('record')
    .where('stack_id', '=', stack)
    .executeTakeFirstOrThrow();
  const cloudStack = JSON.parse(record) as SandboxStack;
  const left = resourcesAt(cloudStack, world.clock.now());
  const server = left.find(({ type }) => type === 'Instance');
  const changed = { ...cloudStack, steps: [], base: left.filter((resource) => resource !== server) };
  await world.database.query
    .updateTable('sandbox_stacks')
    .set((row) => ({ record: JSON.stringify(changed), revision: row('revision', '+', 1) }))
    .where('stack_id', '=', stack)
    .execute();
  return server?.name ?? '';
};

describe('a server that was terminated outside Almanac', () => {
  it('is noticed at the next idle look: the status says so, and how to create it again', async () => {
    const stack = await world.create(oneServer(3));
    await world.settle();
    await terminateServer(stack);
    await world.advance(301);
    expect(await world.describe(stack)).toMatchObject({
      status: 'CREATE_FAILED',
      statusReason:
        'Terminated outside Almanac: 1 of 3 servers of layer web0. Update the stack to create them again.',
    });
    await world.advance(600);
    expect((await world.describe(stack)).status).toBe('CREATE_FAILED');
    await world.update(stack, oneServer(3));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', statusReason: '' });
    expect((await world.describe(stack)).view.instances).toHaveLength(3);
  });
});

describe('what happens outside Almanac', () => {
  const watches: [string, (stack: string) => Promise<unknown>][] = [
    ['describes the stack', (stack) => world.describe(stack)],
    ['reads its events', (stack) => world.story(stack)],
  ];
  it.each(watches)('shows within a minute to someone who %s', async (_, watch) => {
    const stack = await created();
    await world.advance(1);
    await deleteBehindOurBack(stack);
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await watch(stack);
      await world.advance(10);
    }
    expect((await world.row(stack)).status).toBe('CREATE_FAILED');
  });

  it('shows within a minute to someone who follows the events', async () => {
    const stack = await created();
    await deleteBehindOurBack(stack);
    const stream = await followEvents(world.service, world.actor, {
      stackId: stack,
      language: 'v3',
      after: 0,
      follower: { take: () => true, heartbeat: () => {}, end: () => {}, drop: () => {} },
    });
    const worker = world.worker('server');
    for (let second = 0; second < 60; second += 1) {
      await world.advance(1, worker);
      await nextTurn();
    }
    stream.close();
    expect((await world.row(stack)).status).toBe('CREATE_FAILED');
  });

  it('is not looked for more often while nobody watches', async () => {
    const stack = await created();
    await deleteBehindOurBack(stack);
    await world.advance(120);
    expect((await world.row(stack)).status).toBe('CREATE_COMPLETE');
  });
});

describe('skipping resources', () => {
  const skip = async (stack: string) =>
    rollBack(world.service, world.actor, {
      stackId: stack,
      versionId: (await world.describe(stack)).versionId,
      skipResources: ['VPC'],
    });

  it('is refused by a vendor that can undo every update', async () => {
    await expect(skip(await created())).rejects.toThrow(/cannot skip resources/);
  });
});

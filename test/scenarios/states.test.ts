import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rollBack } from '../../src/operations/stacks/change/roll-back.ts';
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

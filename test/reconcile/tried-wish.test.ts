import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { type Answer, notBegun, Unreachable } from '../../src/vendors/vendor.ts';
import { changeSandbox } from '../stand-in-vendor.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

/** A complete stack, and an update of it whose request the cloud answers in another way. */
async function updateAnswered(answer: (apply: () => Promise<Answer>) => Promise<Answer>) {
  const stack = await world.create(oneServer(1));
  await world.settle();
  const { tried_wish: before } = await world.row(stack);
  changeSandbox(world.service, {}, (driver) => ({
    apply: (on, request) => answer(() => driver.apply(on, request)),
  }));
  const { versionId } = await updateTemplate(world.service, world.actor, {
    stackId: stack,
    template: written(oneServer(2)),
  });
  return { stack, before, versionId };
}
const asked = async (stack: string): Promise<number> =>
  (await world.story(stack)).filter((line) => line.includes('was asked to apply')).length;

describe('the version that the vendor last began to make', () => {
  it('stays the one before while the vendor cannot begin with the next, and no event says that it was asked', async () => {
    const { stack, before } = await updateAnswered(async () => notBegun);
    const already = await asked(stack);
    await world.worker('one').runDue();
    expect(await world.row(stack)).toMatchObject({ tried_wish: before, status: 'UPDATE_IN_PROGRESS' });
    expect(await asked(stack)).toBe(already);
  });

  it('is known although the answer to the request for it was lost', async () => {
    const { stack, versionId } = await updateAnswered(async (apply) => {
      await apply();
      throw new Unreachable('The connection was lost.');
    });
    await world.worker('one').runDue();
    await world.advance(2);
    expect((await world.row(stack)).tried_wish).toBe(versionId);
  });
});

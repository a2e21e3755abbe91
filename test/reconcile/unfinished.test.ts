import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desired, decide } from '../../src/reconcile/decide.ts';
import { emptyView, type Observation } from '../../src/vendors/vendor.ts';
import { changeSandbox } from '../stand-in-vendor.ts';
import { World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

/** A cloud whose stack is unfinished at the desired version. */
class StuckCloud {
  refuses = true;
  isUnfinished = true;
  /** How often it was asked to continue. */
  asked = 0;
  onlyRemove: string | undefined;

  constructor() {
    changeSandbox(world.service, {}, (driver) => ({
      observe: async (stack) => {
        const seen = await driver.observe(stack);
        return this.isUnfinished ? this.#unfinished((await world.row(stack.id)).desired_version) : seen;
      },
      apply: async (stack, request) => {
        this.asked += 1;
        if (this.refuses) return { accepted: false, reason: 'The image is gone.' };
        this.isUnfinished = false;
        return driver.apply(stack, request);
      },
    }));
  }

  #unfinished(version: string): Observation {
    const { onlyRemove } = this;
    return {
      kind: 'unfinished',
      doing: 'apply',
      version,
      view: emptyView,
      ...(onlyRemove === undefined ? {} : { onlyRemove }),
    };
  }
}

const refusals = async (stack: string): Promise<number> =>
  (await world.story(stack)).filter((line) => line.includes('refused to apply')).length;

describe('a stack that stays unfinished because the vendor refuses to continue it', () => {
  it('fails with the reason, is tried again only now and then, and is reported once', async () => {
    const cloud = new StuckCloud();
    const stack = await world.create();
    await world.advance(1200);
    expect(await world.describe(stack)).toMatchObject({
      status: 'CREATE_FAILED',
      statusReason: 'The image is gone.',
    });
    expect(cloud.asked).toBeGreaterThan(2);
    expect(cloud.asked).toBeLessThan(8);
    expect(await refusals(stack)).toBe(1);
  });

  it('continues without a request as soon as the vendor accepts it', async () => {
    const cloud = new StuckCloud();
    const stack = await world.create();
    await world.settle();
    expect(await refusals(stack)).toBe(1);
    cloud.refuses = false;
    await world.advance(600);
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
    expect(await world.row(stack)).toMatchObject({ refused_wish: '', refused_reason: '' });
  });
});

describe('a stack that can only be removed', () => {
  it('fails with what to do, and the vendor is not asked for anything', async () => {
    const cloud = new StuckCloud();
    cloud.onlyRemove = 'The deletion failed. Delete the stack.';
    const stack = await world.create();
    await world.advance(1200);
    expect(await world.describe(stack)).toMatchObject({
      status: 'CREATE_FAILED',
      statusReason: 'The deletion failed. Delete the stack.',
    });
    expect(cloud.asked).toBe(0);
  });
});

describe('the decision on an unfinished stack', () => {
  const reached: Desired = {
    operation: 'CREATE',
    version: 'v1',
    settledVersion: 'v1',
    tried: true,
    refusal: null,
    failures: 0,
    cancelled: null,
  };
  const deleting: Desired = { ...reached, operation: 'DELETE' };
  const seen = { kind: 'unfinished', doing: 'apply', version: 'v1', view: emptyView } as const;

  it('looks again when the vendor says so, and after a refusal only now and then', () => {
    const slow = { ...seen, lookAgainMs: 5000 };
    expect(decide(reached, slow)).toMatchObject({ step: 'apply', phase: 'unchanged', lookAgainMs: 5000 });
    expect(decide(deleting, slow)).toMatchObject({ step: 'remove', lookAgainMs: 5000 });
    expect(decide({ ...reached, refusal: 'no' }, slow)).toMatchObject({
      step: 'apply',
      phase: 'IN_PROGRESS',
      lookAgainMs: 300_000,
    });
  });

  it('is to remove it if only that is possible and requested', () => {
    const removable = { ...seen, onlyRemove: 'delete it' };
    expect(decide(reached, removable)).toMatchObject({ step: 'give-up', reason: 'delete it' });
    expect(decide(deleting, removable)).toMatchObject({ step: 'remove' });
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { documentOf, testResource } from './world/documents.ts';
import { rig } from './world/rig.ts';
import { killEngine, setTokenLife, startAgain } from './world/rig-control.ts';
import { reconcile } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

const hourMs = 3_600_000;
const inner = JSON.stringify(documentOf({ One: testResource() }).template);

describe.skipIf(!rig.tools)('outages of the cloud itself', () => {
  const world = new OpenStackWorld();
  afterAll(() => world.close());

  it('a stack whose engine was killed is unfinished after its time limit, and another apply continues it', async () => {
    const stack = world.newStack();
    const document = documentOf({ One: testResource({ wait_secs: 20 }), Two: testResource() });
    await world.apply(stack, document, 'v1');
    await killEngine();
    await startAgain();
    await world.passMoment();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'busy', version: 'v1' });
    world.clock.advance(3 * hourMs);
    expect(await world.driver.observe(stack)).toMatchObject({
      kind: 'unfinished',
      doing: 'apply',
      version: 'v1',
    });
    expect(await world.apply(stack, document, 'v1')).toEqual({ accepted: true });
    expect(await world.atRest(stack)).toBe('UPDATE_COMPLETE');
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    expect(await world.listed(stack)).toHaveLength(1);
  });

  it('a deletion whose engine was killed is unfinished after its time limit, and another removal continues it', async () => {
    const stack = world.newStack();
    const document = documentOf({ One: testResource({ action_wait_secs: { create: 0, delete: 20 } }) });
    await reconcile(world, stack, { document, version: 'v1' });
    await world.remove(stack);
    await eventually(
      () => world.listed(stack),
      ([first]) => first?.stack_status === 'DELETE_IN_PROGRESS',
    );
    await killEngine();
    await startAgain();
    world.clock.advance(3 * hourMs);
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'unfinished', doing: 'remove' });
    expect(await reconcile(world, stack, 'delete')).toMatchObject({ kind: 'absent' });
  });
});

describe.skipIf(!rig.tools)('tokens with a short life', () => {
  const world = new OpenStackWorld();
  afterAll(async () => {
    await setTokenLife(14_400);
    await world.close();
  });

  it('a stack that outlives its token is broken with the reason, and the next version continues it', async () => {
    // Longer than the scripts of the rig need to sign in, shorter than the least time limit of Heat, a minute.
    await setTokenLife(40);
    const stack = world.newStack();
    // Heat makes the inner stack through its own interface, with the token of the request. It cannot update one that it never
    // made, so the next version has another.
    const document = (name: string) =>
      documentOf({
        Slow: testResource({ wait_secs: 50 }),
        [name]: { type: 'OS::Heat::Stack', depends_on: ['Slow'], properties: { template: inner } },
      });
    const broken = await reconcile(world, stack, { document: document('Inner'), version: 'v1' });
    expect(broken).toMatchObject({ kind: 'broken', version: 'v1' });
    expect(broken.kind === 'broken' && broken.reason).toContain('The token expired');
    expect(await reconcile(world, stack, { document: document('Other'), version: 'v2' })).toMatchObject({
      kind: 'settled',
      version: 'v2',
    });
  });
});

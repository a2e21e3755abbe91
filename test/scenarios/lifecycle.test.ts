import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneServer, World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const running = async (stackId: string): Promise<string[]> =>
  (await world.describe(stackId)).view.instances
    .filter((server) => server.state === 'running')
    .map((server) => server.id);

describe('create', () => {
  it('completes with running servers and an address', async () => {
    const stack = await world.create(oneServer(2));
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_IN_PROGRESS' });
    await world.settle();
    const described = await world.describe(stack);
    expect(described).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
    expect(await running(stack)).toHaveLength(2);
    expect(described.view.outputs.map((output) => output.key)).toContain('Address');
    expect(await world.story(stack)).toEqual([
      'CREATE_IN_PROGRESS',
      'The vendor was asked to apply this version.',
      'CREATE_COMPLETE',
    ]);
  });

  it('that fails names the first failed resource and the reason, and an update repairs it', async () => {
    await world.fault({ kind: 'fail_resource', position: 3, reason: 'no capacity today' });
    const stack = await world.create();
    await world.settle();
    const failed = await world.describe(stack);
    expect(failed.status).toBe('CREATE_FAILED');
    expect(failed.statusReason).toMatch(/no capacity today/);
    expect(failed.view.instances).toEqual([]);
    await world.update(stack, oneServer(1));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE', statusReason: '' });
    expect(await running(stack)).toHaveLength(1);
  });

  it('of the 21st network in a region fails with the reason; another region still accepts one', async () => {
    for (let index = 0; index < 20; index += 1) await world.create();
    const one = await world.create();
    const elsewhere = await world.create(oneServer(1, 'us-east-1'));
    await world.settle();
    expect(await world.describe(one)).toMatchObject({ status: 'CREATE_FAILED' });
    expect((await world.describe(one)).statusReason).toMatch(/maximum number of VPCs.*20 per region/);
    expect(await world.describe(elsewhere)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });
});

describe('update', () => {
  it('during a create is accepted, and the newer version is created', async () => {
    const stack = await world.create();
    await world.advance(2);
    await world.update(stack, oneServer(3));
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect(await running(stack)).toHaveLength(3);
  });

  it('twice in a row: the newest version wins, and unchanged servers are kept', async () => {
    const stack = await world.create();
    await world.settle();
    const [first] = await running(stack);
    await world.update(stack, oneServer(2));
    await world.advance(1);
    const newest = await world.update(stack, oneServer(4));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({
      status: 'UPDATE_COMPLETE',
      versionId: newest.versionId,
    });
    expect(await running(stack)).toHaveLength(4);
    expect(await running(stack)).toContain(first);
  });

  it('of a stack that is being deleted is rejected as a conflict', async () => {
    const stack = await world.create();
    await world.settle();
    await world.delete(stack);
    await expect(world.update(stack, oneServer(2))).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('that fails keeps the previous servers, and the next update is tried', async () => {
    const stack = await world.create();
    await world.settle();
    await world.fault({ kind: 'fail_resource', position: 1, reason: 'no more of these' }, stack);
    await world.update(stack, oneServer(2));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_FAILED' });
    expect(await running(stack)).toHaveLength(1);
    await world.update(stack, oneServer(2));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect(await running(stack)).toHaveLength(2);
  });
});

describe('delete', () => {
  it('leaves nothing, and the stack can be described for an hour', async () => {
    const stack = await world.create();
    await world.settle();
    await world.delete(stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_COMPLETE' });
    expect(await world.inTheCloud()).toEqual({});
    world.clock.advance(61 * 60_000);
    await expect(world.describe(stack)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('during a create interrupts it and leaves nothing', async () => {
    const stack = await world.create();
    await world.advance(3);
    await world.delete(stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_COMPLETE' });
    expect(await world.inTheCloud()).toEqual({});
  });

  it('before the first pass deletes the stack as well', async () => {
    const stack = await world.create();
    await world.delete(stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_COMPLETE' });
  });

  it('of a shared resource fails and names it, and succeeds when repeated after the conflict is gone', async () => {
    const stack = await world.create();
    const other = await world.create();
    await world.settle();
    await world.fault({ kind: 'share_resource', resource: 'SecurityGroupweb0', withStack: other }, stack);
    await world.delete(stack);
    await world.settle();
    const failed = await world.describe(stack);
    expect(failed.status).toBe('DELETE_FAILED');
    expect(failed.statusReason).toMatch(new RegExp(`SecurityGroupweb0 is in use by stack ${other}`));
    await world.fault({ kind: 'clear' }, stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_FAILED' });
    await world.delete(stack);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_COMPLETE' });
    expect(Object.keys(await world.inTheCloud())).toEqual([other]);
  });

  it('requested twice while it runs is one deletion', async () => {
    const stack = await world.create();
    await world.settle();
    await world.delete(stack);
    await world.advance(1);
    await world.delete(stack);
    await world.settle();
    const story = await world.story(stack);
    expect(story.filter((line) => line === 'DELETE_IN_PROGRESS')).toHaveLength(1);
  });
});

describe('vendor unreachable', () => {
  it('keeps the status, shows the reason, and continues when the vendor is back', async () => {
    const stack = await world.create();
    await world.fault({ kind: 'unreachable', seconds: 90 }, stack);
    await world.advance(30);
    const waiting = await world.describe(stack);
    expect(waiting.status).toBe('CREATE_IN_PROGRESS');
    expect(waiting.statusReason).toMatch(/cannot be reached; retrying/);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
    const outages = (await world.story(stack)).filter((line) => /reach/.test(line));
    expect(outages).toHaveLength(2);
  });
});

describe('outside changes', () => {
  it('a stack that was deleted at the vendor is reported, not silently created again', async () => {
    const stack = await world.create();
    await world.settle();
    await world.cloud.change(`${world.actor.accountId}/SANDBOX`, (account) => account.stacks.delete(stack));
    world.clock.advance(301_000);
    await world.settle();
    const described = await world.describe(stack);
    expect(described.status).toBe('CREATE_FAILED');
    expect(described.statusReason).toMatch(/outside Almanac/);
    await world.update(stack, oneServer(1));
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notBegun } from '../../src/vendors/vendor.ts';
import { documentOf, testResource, testResources } from './world/documents.ts';
import { Faults } from './world/faults.ts';
import { goldenRequest } from './world/golden-requests.ts';
import { Heat, slowly } from './world/heat.ts';
import { rig } from './world/rig.ts';
import { setK5 } from './world/rig-control.ts';
import { reconcile } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

const quick = (value = 'x') => documentOf({ One: testResource({ value }) });

/** K5 rejects the other model, which has several zones. */
const compiled = ['everything', 'single-server', 'v2-balanced'];

describe.skipIf(!rig.tools)('Heat as K5 has it', () => {
  const faults = new Faults();
  const world = new OpenStackWorld({ dialect: 'k5', fetch: faults.fetch });
  beforeAll(() => setK5(true));
  afterAll(async () => {
    await world.close();
    await setK5(false);
  });

  const describedAs = async (stack: { id: string; accountId: string; region: string }) => {
    const [listed] = await world.listed(stack);
    const path = `/stacks/${stack.id}/${listed?.id}?resolve_outputs=False`;
    const { stack: shown } = await world.cloud.read<{ stack: { description: string } }>({
      service: 'orchestration',
      path,
    });
    return shown.description;
  };

  it('an update during a creation waits for its end, and follows then', async () => {
    const stack = world.newStack();
    await world.apply(stack, testResources(1), 'v1');
    expect(await world.apply(stack, testResources(2), 'v2')).toEqual(notBegun);
    await world.passMoment();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'busy', doing: 'apply', version: 'v1' });
    expect(await reconcile(world, stack, { document: testResources(2), version: 'v2' })).toMatchObject({
      kind: 'settled',
      version: 'v2',
    });
    expect(await describedAs(stack)).toMatch(/\(version v2\)$/);
  });

  it('a deletion during a creation is busy until the stack is gone', async () => {
    const stack = world.newStack();
    await world.apply(stack, testResources(1, { wait_secs: 15 }), 'v1');
    await world.remove(stack);
    await world.passMoment();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'busy', doing: 'remove' });
    expect(await reconcile(world, stack, 'delete')).toMatchObject({ kind: 'absent' });
  });

  it('an update that fails is broken at the version that was tried', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    const failing = documentOf({ One: testResource({ value: 'y' }), Two: testResource({ fail: true }) });
    expect(await reconcile(world, stack, { document: failing, version: 'v2' })).toMatchObject({
      kind: 'broken',
      version: 'v2',
    });
  });

  it('the version is read from the description if the tags are gone', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    const [listed] = await world.listed(stack);
    const template = { ...quick().template, description: await describedAs(stack) };
    const path = `/stacks/${stack.id}/${listed?.id}`;
    await world.cloud.change({ service: 'orchestration', method: 'PUT', path, body: { template } });
    await world.atRest(stack);
    expect((await world.listed(stack))[0]?.tags ?? []).toEqual([]);
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
  });

  it('an update cannot be cancelled, and the answer says so', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    await world.apply(stack, documentOf({ One: testResource(), Two: testResource({ wait_secs: 10 }) }), 'v2');
    const answer = await world.driver.cancelUpdate(stack, 'v2');
    expect(answer).toMatchObject({ cancelled: false });
    await world.atRest(stack);
  });

  it.skipIf(!rig.isFull).each(compiled)('it validates the golden document of model %s', async (name) => {
    const heat = await Heat.signIn();
    const { status, body } = await heat.call('POST', '/validate', goldenRequest(name, 'k5'));
    expect(body['error']).toBeUndefined();
    expect(status).toBe(200);
  });

  it.skipIf(!rig.isFull).each(['single-server', 'v2-balanced'])(
    'it makes every resource of the golden document of model %s; those of K5 itself are hollow',
    async (name) => {
      const heat = await Heat.signIn();
      const path = await heat.create(`k5-${name}-${process.pid}`, goldenRequest(name, 'k5'));
      await expect.poll(() => heat.statusOf(path), slowly).not.toMatch(/IN_PROGRESS/);
      expect(await heat.reasonOf(path)).toBe('Stack CREATE completed successfully');
      await heat.remove(path);
    },
  );

  it('uses no call that K5 does not document', () => {
    expect(
      faults.requests.filter((request) => /^PATCH|\/(actions|outputs|preview|signal)\b/.test(request)),
    ).toEqual([]);
    expect('startDriftCheck' in world.driver).toBe(false);
  });
});

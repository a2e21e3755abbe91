import { afterAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { verify } from '../../src/vendors/openstack/act/verify.ts';
import { makeClient } from '../../src/vendors/openstack/client.ts';
import { notBegun, Unreachable } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { documentOf, testResource, testResources } from './world/documents.ts';
import { Faults } from './world/faults.ts';
import { reconcile } from './world/steps.ts';
import { type Listed, OpenStackWorld } from './world/world.ts';

const quick = (value = 'x') =>
  documentOf({ One: testResource({ value }) }, { Out: { value: { get_attr: ['One', 'output'] } } });
const failing = documentOf({ One: testResource({ value: 'y' }), Two: testResource({ fail: true }) });

describe('stacks of Heat', () => {
  const faults = new Faults();
  const world = new OpenStackWorld({ fetch: faults.fetch });
  afterAll(() => world.close());

  const change = (path: string, body: unknown) =>
    world.cloud.change({ service: 'orchestration', method: 'POST', path, body });
  const only = async (stack: { id: string; accountId: string; region: string }): Promise<Listed> => {
    const [first, ...others] = await world.listed(stack);
    expect(others).toEqual([]);
    if (!first) throw new Error('The stack is not listed.');
    return first;
  };

  it('one stack stays, the oldest, when two of its name were created at the same moment', async () => {
    const stack = world.newStack();
    const body = (version: string) => ({
      stack_name: stack.id,
      template: quick().template,
      tags: `almanac,stack=${stack.id},version=${version}`,
    });
    // Heat rejects one of them in some tries.
    for (let tries = 0; tries < 12 && (await world.listed(stack)).length < 2; tries += 1) {
      for (const { id } of await world.listed(stack))
        await world.cloud.change({
          service: 'orchestration',
          method: 'DELETE',
          path: `/stacks/${stack.id}/${id}`,
        });
      await world.atRest(stack);
      await Promise.allSettled([change('/stacks', body('v1')), change('/stacks', body('v1'))]);
    }
    const [...twins] = await world.listed(stack);
    expect(twins).toHaveLength(2);
    expect((await world.driver.observe(stack)).kind).toBe('unfinished');
    expect(await reconcile(world, stack, { document: quick(), version: 'v1' })).toMatchObject({
      kind: 'settled',
      version: 'v1',
    });
    await world.atRest(stack);
    expect(twins.map(({ id }) => id)).toContain((await only(stack)).id);
  });

  it('two servers of Almanac that apply the same stack at the same moment end with one stack', async () => {
    const other = new OpenStackWorld();
    const stack = world.newStack();
    await Promise.all([world, other].map((server) => server.apply(stack, quick(), 'v1')));
    await world.passMoment();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    await world.atRest(stack);
    await only(stack);
  });

  it('a creation whose answer was lost is found by name, and not repeated', async () => {
    const stack = world.newStack();
    faults.lostCreations = 1;
    await expect(world.apply(stack, quick(), 'v1')).rejects.toThrow(Unreachable);
    expect(await world.apply(stack, quick(), 'v1')).toEqual({ accepted: true });
    await world.atRest(stack);
    await only(stack);
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
  });

  it('signs in again and repeats the request once when the cloud does not know the token', async () => {
    const stack = world.newStack();
    await world.apply(stack, quick(), 'v1');
    await world.atRest(stack);
    faults.wrongTokens = 1;
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    faults.wrongTokens = 1;
    expect(await world.remove(stack)).toEqual({ accepted: true });
  });

  it('an update outside Almanac after a rollback does not make the stack complete at the version that failed', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    await reconcile(world, stack, { document: failing, version: 'v2' });
    const path = `/stacks/${stack.id}/${(await only(stack)).id}`;
    await world.cloud.change({ service: 'orchestration', method: 'PATCH', path, body: {} });
    await world.atRest(stack);
    expect((await only(stack)).stack_status).toBe('UPDATE_COMPLETE');
    await world.passMoment();
    expect(await world.driver.observe(stack)).toMatchObject({
      kind: 'broken',
      version: 'v2',
      reason: expect.stringContaining('it has version v1'),
    });
    expect(await reconcile(world, stack, { document: quick('z'), version: 'v3' })).toMatchObject({
      kind: 'settled',
      version: 'v3',
    });
  });

  it('after a rollback the stack is broken at the version that was tried, with the reason of its failure', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    await reconcile(world, stack, { document: failing, version: 'v2' });
    // Heat says UPDATE_FAILED for a moment, before it begins to roll back.
    await eventually(
      () => only(stack),
      ({ stack_status }) => stack_status === 'ROLLBACK_COMPLETE',
    );
    await world.passMoment();
    const broken = await world.driver.observe(stack);
    expect(broken).toMatchObject({ kind: 'broken', doing: 'apply', version: 'v2', terminal: true });
    expect(broken.kind === 'broken' && broken.reason).toMatch(/resources\.Two.*Test Resource failed/);
    expect(await reconcile(world, stack, { document: quick('z'), version: 'v3' })).toMatchObject({
      kind: 'settled',
      version: 'v3',
      view: { outputs: [{ key: 'Out', value: 'z' }] },
    });
  });

  it('a creation that failed keeps what it made, and the next version continues from there', async () => {
    const stack = world.newStack();
    const broken = await reconcile(world, stack, { document: failing, version: 'v1' });
    expect(broken).toMatchObject({ kind: 'broken', version: 'v1' });
    const { id } = await only(stack);
    await reconcile(world, stack, { document: quick('y'), version: 'v2' });
    expect((await only(stack)).id).toBe(id);
  });

  it('an update waits while the stack is being deleted, and creates it again afterwards', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: testResources(1), version: 'v1' });
    const { id } = await only(stack);
    await world.remove(stack);
    expect(await world.apply(stack, testResources(1), 'v2')).toEqual(notBegun);
    await world.passMoment();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'busy', doing: 'remove' });
    expect(await reconcile(world, stack, { document: testResources(1), version: 'v2' })).toMatchObject({
      kind: 'settled',
      version: 'v2',
    });
    expect((await only(stack)).id).not.toBe(id);
  });

  it('a stack that was suspended outside Almanac is broken, and an update resumes it first', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    const { id } = await only(stack);
    await change(`/stacks/${stack.id}/${id}/actions`, { suspend: null });
    await world.atRest(stack);
    expect(await world.driver.observe(stack)).toMatchObject({
      kind: 'broken',
      version: 'v1',
      reason: expect.stringContaining('suspended outside Almanac'),
    });
    expect(await reconcile(world, stack, { document: quick('z'), version: 'v2' })).toMatchObject({
      kind: 'settled',
      version: 'v2',
    });
  });

  it('a stack whose tags were removed is still found', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    const { id } = await only(stack);
    const path = `/stacks/${stack.id}/${id}`;
    const body = { template: quick().template };
    await world.cloud.change({ service: 'orchestration', method: 'PUT', path, body });
    await world.atRest(stack);
    expect((await only(stack)).tags ?? []).toEqual([]);
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: '' });
  });

  it('Heat answers an unknown marker with the first page of events', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    const path = `/stacks/${stack.id}/${(await only(stack)).id}/events?limit=2`;
    const read = (query: string) =>
      world.cloud.read<{ events: { id: string }[] }>({ service: 'orchestration', path: `${path}${query}` });
    const { events } = await read('');
    expect((await read(`&marker=${events[0]?.id}`)).events[0]?.id).toBe(events[1]?.id);
    expect((await read('&marker=5a5a5a5a-0000-4000-8000-5a5a5a5a5a5a')).events).toEqual(events);
  });

  it('refuses a template that Heat rejects, in the words of Heat', async () => {
    const stack = world.newStack();
    const wrong = documentOf({ One: { type: 'OS::No::Such' } });
    expect(await world.apply(stack, wrong, 'v1')).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('OS::No::Such'),
    });
    expect(await world.listed(stack)).toEqual([]);
  });

  it('cancels an update that removed nothing yet, and goes back to the version before', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    const slow = documentOf({ One: testResource(), Two: testResource({ wait_secs: 20 }) });
    await world.apply(stack, slow, 'v2');
    expect(await world.driver.cancelUpdate(stack, 'v2')).toEqual({ cancelled: true });
    await world.atRest(stack);
    expect(await reconcile(world, stack, { document: quick(), version: 'v1' })).toMatchObject({
      kind: 'settled',
      version: 'v1',
    });
    expect(await world.driver.cancelUpdate(stack, 'v1')).toMatchObject({ cancelled: false });
  });

  it('fifty observations of a stack at the same moment, as fifty passes make them, send one list', async () => {
    const stack = world.newStack();
    await reconcile(world, stack, { document: quick(), version: 'v1' });
    await world.passMoment();
    faults.requests.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => world.driver.observe(stack)));
    expect(faults.requests.filter((request) => request === 'GET /stacks')).toHaveLength(1);
  });
});

describe('credentials', () => {
  const world = new OpenStackWorld();
  const withSecret = (secret: string) => (region: string) =>
    makeClient({
      access: { ...world.access, secret: new Secret(secret) },
      region,
      clock: world.clock,
      countCall: () => undefined,
    });

  it('a valid password is accepted', async () => {
    expect(await verify(withSecret(world.access.secret.reveal()))).toEqual({ accepted: true });
  });

  it('a wrong password is refused with what to do, without the password', async () => {
    const answer = await verify(withSecret('wrong-word'));
    expect(answer).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('Save a valid credential'),
    });
    expect(JSON.stringify(answer)).not.toContain('wrong-word');
  });
});

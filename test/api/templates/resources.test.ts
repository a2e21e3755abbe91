import { describe, expect, it } from 'vitest';
import { readResources } from '../../../src/operations/stacks/read/read-resources.ts';
import { oneServer, World } from '../../world.ts';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { balanced, V2Caller } from '../v2/caller.ts';

const almanac = useServedAlmanac();

const read = async (stackId: string, token?: string) =>
  almanac.call('GET', `/v3/alm/stack/${stackId}/resources`, { token: token ?? (await almanac.userToken()) });

describe('the route of resources', () => {
  it('a complete stack lists every resource with its id at the vendor, its layer, its kind and its dependencies', async () => {
    const stackId = await almanac.applyTemplate(oneServer());
    const stack = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const answer = await read(stackId);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      stack_id: stackId,
      stack_status: 'CREATE_COMPLETE',
      operation: 'CREATE',
      version_id: stack.version_id,
    });
    const resources = answer.body.resources as Json[];
    expect(resources.map(({ status }) => status)).toEqual(resources.map(() => 'complete'));
    const server = resources.find(({ kind }) => kind === 'server');
    expect(server).toMatchObject({
      type: 'Instance',
      physical_id: (stack.instances as Json[])[0]?.InstanceId,
      layer: 'web0',
      leaving: false,
      status_changed_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    });
    const names = new Set(resources.map(({ name }) => name));
    for (const { depends_on: dependencies } of resources)
      for (const name of dependencies as string[]) expect(names).toContain(name);
  });

  it('the number of the last event in the reply continues the event stream without a gap', async () => {
    const stackId = await almanac.applyTemplate(oneServer());
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const { body } = await read(stackId);
    const path = `/v3/alm/stack/${stackId}/events?after=${String(body.event_id)}`;
    expect((await almanac.call('GET', path, { token: await almanac.userToken() })).body).toEqual([]);
  });

  it('a v2 stack has the same route below /v2, and each version finds only its own stacks', async () => {
    const v2 = await V2Caller.of(almanac);
    const stackId = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stackId}/resources`;
    const answer = await almanac.call('GET', path, { token: v2.token });
    expect(answer.status).toBe(200);
    expect((answer.body.resources as Json[]).map(({ kind }) => kind)).toContain('balancer');
    expect((await read(stackId)).status).toBe(404);
  });

  it('a stack that does not exist, or that belongs to another account, is not found', async () => {
    const stackId = await almanac.applyTemplate();
    expect((await read('mo-nothing-tk')).status).toBe(404);
    expect((await read(stackId, await almanac.otherAccountToken())).status).toBe(404);
  });

  it('a user without a role that allows it is refused', async () => {
    const stackId = await almanac.applyTemplate();
    const master = new AccessCaller(almanac);
    const { username, token } = await master.makeUser('resources-lister');
    const roleId = await master.makeRole('lists only', scopeAllowing('stack:describeStacks'));
    await master.call('POST', '/v3/user/role', { json: { username, role_id: roleId } });
    expect((await read(stackId, token)).status).toBe(403);
  });

  it('the reply has no secret of the template', async () => {
    const template = oneServer();
    const stackId = await almanac.applyTemplate(template);
    const stack = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    expect((await read(stackId)).text).not.toContain(String(stack.auth_token));
  });
});

const statuses = async (world: World, stackId: string): Promise<Record<string, string>> => {
  const { resources } = await readResources(world.service, world.actor, { stackId, language: 'v3' });
  return Object.fromEntries(resources.map(({ name, status }) => [name, status]));
};

describe('the status of a resource', () => {
  it('follows a creation: waiting, creating, complete', async () => {
    const world = await World.open();
    const stackId = await world.create();
    expect(new Set(Object.values(await statuses(world, stackId)))).toEqual(new Set(['waiting']));
    await world.advance(1);
    expect(await statuses(world, stackId)).toMatchObject({ VPC: 'creating', Subnetweb0: 'waiting' });
    await world.settle();
    expect(new Set(Object.values(await statuses(world, stackId)))).toEqual(new Set(['complete']));
  });

  it('an update leaves what it does not change complete, and shows what it removes until it is gone', async () => {
    const world = await World.open();
    const stackId = await world.create(oneServer(2));
    await world.settle();
    await world.update(stackId, oneServer(1));
    expect(await statuses(world, stackId)).toMatchObject({ VPC: 'complete', 'Instanceweb0-1': 'waiting' });
    await world.advance(1);
    expect(await statuses(world, stackId)).toMatchObject({ VPC: 'complete', 'Instanceweb0-1': 'deleting' });
    await world.settle();
    const after = await statuses(world, stackId);
    expect(after).not.toHaveProperty('Instanceweb0-1');
    expect(new Set(Object.values(after))).toEqual(new Set(['complete']));
  });

  it('the resource that failed stays failed, and what was not made is absent', async () => {
    const world = await World.open();
    const stackId = await world.create();
    await world.fault({ kind: 'fail_resource', position: 1, reason: 'No capacity.' }, stackId);
    await world.settle();
    const { resources } = await readResources(world.service, world.actor, { stackId, language: 'v3' });
    const failed = resources.filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.event?.message).toContain('No capacity.');
    expect(resources.map(({ status }) => status)).toContain('absent');
  });

  it('a deletion shows what waits, what is being deleted and what is deleted', async () => {
    const world = await World.open();
    const stackId = await world.create();
    await world.settle();
    await world.delete(stackId);
    expect(new Set(Object.values(await statuses(world, stackId)))).toEqual(new Set(['waiting']));
    await world.advance(1);
    const during = await statuses(world, stackId);
    expect(during['VPC']).toBe('waiting');
    expect(Object.values(during)).toContain('deleting');
    await world.settle();
    expect(new Set(Object.values(await statuses(world, stackId)))).toEqual(new Set(['deleted']));
  });
});

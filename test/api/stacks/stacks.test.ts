import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const offsetTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
const listed = {
  stack_id: expect.stringMatching(/^mo-[0-9a-f]{13}-[0-9A-Za-z]{8,9}-tk$/),
  auth_token: expect.stringMatching(/^[0-9A-Za-z]{28,30}$/),
  user_id: expect.stringMatching(/^[0-9a-f]{13}$/),
  username: 'root',
  nickname: expect.stringMatching(/^[a-z]+ [a-z]+ [a-z]+$/),
  vendor: 'aws',
  configuration: oneServer(2),
  create_time: offsetTime,
  update_time: offsetTime,
  stack_status: 'CREATE_COMPLETE',
  stack_status_reason: '',
  version_id: expect.stringMatching(/^[A-Za-z0-9._]{32}$/),
};
const remove = (stackId: string) =>
  almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });

describe('describing a stack', () => {
  it('for a page leaves out the secret of its agents, and nothing else', async () => {
    const stackId = await almanac.applyTemplate();
    const { auth_token, ...rest } = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const details = await almanac.call('GET', `/v3/alm/stack/${stackId}?view=details`, { token });
    expect(details.body).toEqual(rest);
    expect(details.text).not.toContain(String(auth_token));
  });

  it('a described stack has every member in the format existing clients decode', async () => {
    const stack = await almanac.waitFor(await almanac.applyTemplate(oneServer(2)), 'CREATE_COMPLETE');
    expect(stack).toMatchObject(listed);
    expect(stack.dbinstances).toEqual([]);
    expect(stack.caches).toEqual([]);
    for (const output of stack.stack_outputs as Json[])
      expect(output).toMatchObject({ OutputKey: expect.any(String), OutputValue: expect.any(String) });
    const instances = stack.instances as Json[];
    expect(instances).toHaveLength(2);
    for (const instance of instances)
      expect(instance).toMatchObject({
        InstanceId: expect.stringMatching(/^i-[0-9a-f]{17}$/),
        ImageId: expect.stringMatching(/./),
        InstanceType: 't2.micro',
        State: { Code: '16', Name: 'running' },
        PublicIpAddress: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
        PrivateIpAddress: expect.stringMatching(/^10\.0\./),
        LaunchTime: offsetTime,
        flag: 'web0',
        KeyName: `${String(stack.stack_id)}-web0`,
      });
  });

  it('a trailing slash and repeated slashes do not matter', async () => {
    const stackId = await almanac.applyTemplate();
    for (const path of [`/v3/alm/stack/${stackId}/`, `//v3/alm//stack/${stackId}`])
      expect((await almanac.call('GET', path, { token })).body.stack_id).toBe(stackId);
  });

  it('databases and caches are described with strings where clients decode strings', async () => {
    const template = oneServer();
    const [layer] = template.configurations;
    const rds = { engine: 'mysql', db_instance_type: 'db.t3.small', storage: 20 };
    const elasticache = { engine: 'redis', node_type: 'cache.t3.micro', nodes: 1 };
    const provision = { ...layer?.provision, rds, elasticache };
    const stackId = await almanac.applyTemplate({ ...template, configurations: [{ ...layer, provision }] });
    const stack = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    expect((stack.dbinstances as Json[])[0]).toMatchObject({
      AllocatedStorage: '20',
      DBInstanceClass: 'db.t3.small',
      AvailabilityZone: expect.stringMatching(/^ap-northeast-1/),
      Endpoint: { Address: expect.any(String), Port: '3306' },
    });
    expect((stack.caches as Json[])[0]).toMatchObject({ NumCacheNodes: '1', Endpoint: { Port: '6379' } });
  });
});

describe('listing stacks', () => {
  it('the list has the same stacks without the members of describe only', async () => {
    const stackId = await almanac.applyTemplate(oneServer(2));
    const stack = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const { body } = await almanac.call<Json[]>('GET', '/v3/alm/stack', { token });
    const found = body.find((each) => each.stack_id === stackId);
    const { instances: _, dbinstances: __, caches: ___, ...rest } = stack;
    expect(found).toEqual(rest);
  });
});

describe('deleting a stack', () => {
  it('a deleted stack disappears from the list and is described as deleted', async () => {
    const stackId = await almanac.applyTemplate();
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const answer = await remove(stackId);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'DELETE_IN_PROGRESS',
      stack_id: stackId,
      data: [{ kind: 'disk', kept_as: '' }],
    });
    const stack = await almanac.waitFor(stackId, 'DELETE_COMPLETE');
    expect(stack.instances).toEqual([]);
    const { body } = await almanac.call<Json[]>('GET', '/v3/alm/stack', { token });
    expect(body.map((each) => each.stack_id)).not.toContain(stackId);
    expect((await remove(stackId)).status).toBe(404);
  });

  it('a stack can be deleted while it is being created, and the request can be repeated', async () => {
    const slow = await ServedAlmanac.start({ sandboxSpeed: 1 });
    const stackId = await slow.applyTemplate();
    const path = `/v3/alm/stack/${stackId}`;
    const request = { token: await slow.userToken() };
    const isBegun = async () =>
      (await slow.call<Json[]>('GET', `${path}/events`, request)).body.some(
        ({ kind }) => kind === 'resource',
      );
    await expect.poll(isBegun, { interval: 20 }).toBe(true);
    expect((await slow.call('DELETE', path, request)).status).toBe(200);
    expect((await slow.call('DELETE', path, request)).status).toBe(200);
    expect((await slow.describe(stackId)).stack_status).toBe('DELETE_IN_PROGRESS');
    const events = await slow.call<Json[]>('GET', `${path}/events`, request);
    expect(events.body.filter(({ kind }) => kind === 'request')).toHaveLength(2);
    await slow.close();
  });
});

describe('events', () => {
  it('the events are complete and in order, and can be read from any point', async () => {
    const stackId = await almanac.applyTemplate();
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const path = `/v3/alm/stack/${stackId}/events`;
    const all = (await almanac.call<Json[]>('GET', path, { token })).body;
    expect(all.map(({ event_id }) => event_id)).toEqual(all.map((_, index) => index + 1));
    expect(all[0]).toMatchObject({
      kind: 'request',
      message: 'root asked to create the stack.',
      time: offsetTime,
    });
    expect(all.map(({ status }) => status)).toContain('CREATE_COMPLETE');
    expect(all.some(({ resource }) => resource !== '')).toBe(true);
    const page = (await almanac.call<Json[]>('GET', `${path}?after=2&limit=3`, { token })).body;
    expect(page).toEqual(all.slice(2, 5));
  });
});

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../../world.ts';
import { allow, deny, rolesOn } from '../../access/role-statements.ts';
import { useServedAlmanac } from '../../served-almanac.ts';
import { balanced, V2Caller } from '../../v2/caller.ts';
import { StackStream } from './stack-stream.ts';

const almanac = useServedAlmanac({ environment: { ALM_STREAMS_PER_USER: '4' } });
const { master, userWith } = rolesOn(almanac);
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const opened: StackStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
const open = async (query = '', as = token): Promise<StackStream> => {
  const stream = await StackStream.open(almanac.url, as, query);
  opened.push(stream);
  return stream;
};
const cursor = async (as = token): Promise<string> => {
  const answer = await almanac.call('GET', '/v3/alm/stack?view=summary', { token: as });
  return answer.headers.get('alm-cursor') ?? '';
};
const remove = (stackId: string) =>
  almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });

describe('the stream of stacks', () => {
  it('after a cursor, begins with what changed since and not with the rest', async () => {
    const old = await almanac.applyTemplate();
    await almanac.waitFor(old, 'CREATE_COMPLETE');
    const { query } = almanac.service.database;
    await query.updateTable('stacks').set({ changed_at: 1 }).where('id', '=', old).execute();
    const quiet = await open(`?after=${await cursor()}`);
    const next = await almanac.applyTemplate();
    await quiet.untilStatus(next, 'CREATE_COMPLETE');
    expect(quiet.namesOf('stack')).not.toContain(old);
  });

  it('begins with every stack of both API versions, then says that it is alive and where it is', async () => {
    const template = await almanac.applyTemplate();
    await almanac.waitFor(template, 'CREATE_COMPLETE');
    const configured = await (await V2Caller.of(almanac)).settled(balanced);
    const stream = await open();
    const { data } = await stream.untilAlive();
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('cache-control')).toContain('no-transform');
    expect(stream.namesOf('stack')).toEqual(expect.arrayContaining([template, configured]));
    expect(stream.text).toContain(`: heartbeat\nid: ${String(data.cursor)}\n`);
    expect(stream.sent[0]?.data).toMatchObject({ instances: { running: expect.any(Number) as number } });
  });

  it('sends a stack when it is created, changes its status and its version, and is deleted', async () => {
    const stream = await open(`?after=${await cursor()}`);
    const stack = await almanac.applyTemplate(oneServer());
    await stream.untilStatus(stack, 'CREATE_COMPLETE');
    const json = oneServer(2);
    await almanac.call('PUT', `/v3/alm/template/${stack}`, { token, json });
    const { data } = await stream.untilStatus(stack, 'UPDATE_COMPLETE');
    expect(data).toMatchObject({ instances: { running: 2, wanted: 2 }, version: { label: '2 servers' } });
    await remove(stack);
    await stream.untilDeleted(stack);
  });

  it('a change between the list and the stream is not missed', async () => {
    const stack = await almanac.applyTemplate();
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    const after = await cursor();
    await remove(stack);
    await almanac.waitFor(stack, 'DELETE_COMPLETE');
    await (await open(`?after=${after}`)).untilDeleted(stack);
  });

  it('a cursor that the service did not issue, or that is older than an hour, is refused', async () => {
    const tooOld = (await cursor()).replace(/^\d+/, String(Date.now() - 2 * 3_600_000));
    for (const after of ['x', '1e3', '-1', '99999999999999999', tooOld]) {
      const answer = await almanac.call('GET', `/v3/alm/stack/stream?after=${after}`, { token });
      expect([after, answer.status]).toEqual([after, 400]);
      expect(String(answer.body.description)).toContain('Alm-Cursor');
    }
    const headers = { 'last-event-id': 'x' };
    expect((await almanac.call('GET', '/v3/alm/stack/stream', { token, headers })).status).toBe(400);
  });

  it('needs the permission to list stacks', async () => {
    expect((await almanac.call('GET', '/v3/alm/stack/stream')).status).toBe(401);
    const none = await userWith('stream-none', allow(['cred:describeCredentials']));
    expect((await almanac.call('GET', '/v3/alm/stack/stream', { token: none.token })).status).toBe(403);
  });

  it('a stack that a role hides, and one of another account, are not in the stream', async () => {
    const hidden = await almanac.applyTemplate();
    const some = await userWith('stream-some', allow(['*:*']), deny(['*:*'], [`mrn:alm:stack:${hidden}`]));
    const other = await almanac.otherAccountToken();
    const [theirs, ours] = [await open('', some.token), await open('', other)];
    await Promise.all([theirs.untilAlive(), ours.untilAlive()]);
    const stack = await almanac.applyTemplate();
    const foreign = await almanac.applyTemplate(oneServer(), other);
    await remove(hidden);
    await almanac.waitFor(hidden, 'DELETE_COMPLETE');
    await theirs.untilStatus(stack, 'CREATE_COMPLETE');
    await ours.untilStatus(foreign, 'CREATE_COMPLETE');
    expect(theirs.text).not.toContain(hidden);
    expect(theirs.text).not.toContain(foreign);
    expect(new Set(ours.namesOf('stack'))).toEqual(new Set([foreign]));
  });

  it('a role that is taken away hides its stacks, and one that is given shows them', async () => {
    const stack = await almanac.applyTemplate();
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    const user = await userWith('stream-changing', allow(['*:*']));
    const stream = await open('', user.token);
    await stream.untilStatus(stack, 'CREATE_COMPLETE');
    const scope = JSON.stringify({
      version: '2017-05-05',
      Statement: [deny(['*:*'], [`mrn:alm:stack:${stack}`])],
    });
    const role_id = await master.makeRole('hides the stack', scope);
    const attach = { json: { username: user.username, role_id } };
    expect((await master.call('POST', '/v3/user/role', attach)).status).toBe(200);
    await stream.untilDeleted(stack);
    const before = stream.namesOf('stack').length;
    const detach = `/v3/user/role/${role_id}?username=${user.username}`;
    expect((await master.call('DELETE', detach)).status).toBe(200);
    await stream.until(() => stream.namesOf('stack').slice(before).includes(stack));
  });

  it('after a change of roles refuses the cursor of before, and continues after a new list', async () => {
    const user = await userWith('stream-resuming', allow(['*:*']));
    const before = await cursor(user.token);
    const scope = JSON.stringify({ version: '2017-05-05', Statement: [deny(['cred:*'])] });
    const role_id = await master.makeRole('hides credentials', scope);
    await master.call('POST', '/v3/user/role', { json: { username: user.username, role_id } });
    const path = `/v3/alm/stack/stream?after=${before}`;
    const answer = await almanac.call('GET', path, { token: user.token });
    expect([answer.status, answer.body.description]).toEqual([
      400,
      expect.stringContaining('Load the list of stacks again'),
    ]);
    await (await open(`?after=${await cursor(user.token)}`, user.token)).untilAlive();
  });

  it('ends when the token of its reader is no longer valid', async () => {
    const user = await userWith('stream-leaving', allow(['*:*']));
    const stream = await open('', user.token);
    await stream.untilAlive();
    await master.call('DELETE', `/v3/user/${user.username}`);
    await stream.ended;
  });

  it('contains no secret', async () => {
    const stack = await almanac.applyTemplate();
    const stream = await open();
    await stream.untilStatus(stack, 'CREATE_COMPLETE');
    const secret = String((await almanac.describe(stack)).auth_token);
    for (const hidden of [secret, 'auth_token', 'configuration', 'stack_outputs', 'sealed'])
      expect(stream.text).not.toContain(hidden);
  });

  it('counts among the streams of its user, and a HEAD request does not', async () => {
    for (let times = 0; times < 6; times += 1)
      expect((await almanac.call('HEAD', '/v3/alm/stack/stream', { token })).status).toBe(200);
    const streams = await Promise.all([open(), open(), open(), open()]);
    await Promise.all(streams.map((stream) => stream.untilAlive()));
    expect((await almanac.call('GET', '/v3/alm/stack/stream', { token })).status).toBe(429);
  });

  it('does not prevent the server from stopping', async () => {
    const stream = await open('', (await userWith('stream-last', allow(['*:*']))).token);
    await stream.untilAlive();
    await almanac.restart();
    await stream.ended;
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { roleTemplates } from '../../../src/model/role-scope.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { streamOf } from './log-stream.ts';

interface Logs {
  lines: {
    time: string;
    instance_id: string;
    flag: string;
    source: string;
    container: string;
    text: string;
  }[];
  instances: { instance_id: string; state: string; message: string }[];
  left_out: number;
}

const almanac = useServedAlmanac();
let stackId: string;
let instances: string[];
beforeAll(async () => {
  stackId = await almanac.applyTemplate(oneServer(2));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  instances = (await read('?lines=1')).body.instances.map(({ instance_id }) => instance_id);
});

const logsPath = (query = '', id = stackId) => `/v3/alm/stack/${id}/logs${query}`;
const read = async (query = '', token = almanac.userToken()) =>
  almanac.call<Logs>('GET', logsPath(query), { token: await token });
const agentCall = async (method: string, path: string, json?: Json) =>
  almanac.call(method, path, { token: await almanac.stackToken(stackId), ...(json ? { json } : {}) });
const report = (instance_id: string, changes: Json = {}) =>
  agentCall('POST', '/v3/alm/agent/agent_status', {
    stack_id: stackId,
    agent_id: `agent-of-${instance_id}`,
    instance_id,
    status: 'uptodate',
    ...changes,
  });
const configHeader = async () =>
  (await agentCall('GET', `/v3/alm/agent/config?stack_id=${stackId}&flag=web0`)).headers.get('alm-logs');
const requestsFor = async (instance: string, known = ''): Promise<{ request_id: string }[]> => {
  const query = `stack_id=${stackId}&instance_id=${instance}&known=${known}`;
  const { body } = await agentCall('GET', `/v3/alm/agent/log_requests?${query}`);
  return (body as { requests: { request_id: string }[] }).requests;
};
const send = (instance_id: string, request_id: string, changes: Json) =>
  agentCall('POST', '/v3/alm/agent/logs', {
    stack_id: stackId,
    instance_id,
    request_id,
    batch: 1,
    lines: [],
    ...changes,
  });
const line = (text: string) => ({
  time: '2030-01-01T00:00:00.000000001Z',
  source: 'container',
  container: 'shop',
  stream: 'stdout',
  text,
});

describe('logs of simulated instances', () => {
  it('have the last lines of all instances in the order of time', async () => {
    const { status, body, headers } = await read('?lines=5');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(instances).toHaveLength(2);
    expect(new Set(body.lines.map(({ instance_id }) => instance_id))).toEqual(new Set(instances));
    expect(body.lines.map(({ time }) => time)).toEqual(body.lines.map(({ time }) => time).toSorted());
    expect(body.instances.map(({ state }) => state)).toEqual(['complete', 'complete']);
    expect(body.lines.some(({ text }) => text.includes('is simulated'))).toBe(true);
  });

  it.each([
    ['?source=agent', ({ source }: Logs['lines'][number]) => source === 'agent'],
    ['?flag=web0&lines=3', ({ flag }: Logs['lines'][number]) => flag === 'web0'],
    ['?container=none', () => false],
    ['?since=2999-01-01T00:00:00Z', () => false],
  ])('%s limits the lines', async (query, isExpected) => {
    expect((await read(query)).body.lines.every(isExpected)).toBe(true);
  });

  it('of one instance have no line of another', async () => {
    const [instance = ''] = instances;
    const { body } = await read(`?instance_id=${instance}`);
    expect(new Set(body.lines.map(({ instance_id }) => instance_id))).toEqual(new Set([instance]));
    expect(body.instances).toHaveLength(1);
  });

  it.each([
    ['?lines=1001', 400, 'lines'],
    ['?lines=-1', 400, 'lines'],
    ['?source=kernel', 400, 'source'],
    ['?since=yesterday', 400, 'since'],
    ['?flag=unknown', 404, 'Layers with instances: web0.'],
    ['?instance_id=i-unknown', 404, 'Instances: '],
  ])('%s returns %s', async (query, status, word) => {
    const answer = await read(query);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(word) as string]);
  });
});

describe('who may read logs', () => {
  it('a user with the read-only role gets 403, and a user without a role reads those of the own stacks only', async () => {
    const master = new AccessCaller(almanac);
    const reader = await master.makeUser('log-reader');
    const owner = await master.makeUser('log-owner');
    const template = roleTemplates.find(({ id }) => id === 'readonly');
    const role_id = await master.makeRole('log-readonly', JSON.stringify(template?.scope));
    await master.call('POST', '/v3/user/role', { json: { username: reader.username, role_id } });
    const denied = await read('', Promise.resolve(reader.token));
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('stack:readLogs') as string]);
    expect((await read('', Promise.resolve(owner.token))).status).toBe(404);
    const own = await almanac.applyTemplate(oneServer(), owner.token);
    const answer = await almanac.call('GET', logsPath('', own), { token: owner.token });
    expect(answer.status).toBe(200);
  });

  it('another account finds neither the logs nor the stream', async () => {
    const token = await almanac.otherAccountToken();
    for (const path of [logsPath(), `${logsPath()}/stream`])
      expect((await almanac.call('GET', path, { token })).status).toBe(404);
  });

  it('every reading is in the audit log, with the stack and the action', async () => {
    await read('?lines=1');
    const isReading = ({ route, decision }: Json) => route === 'v3ReadLogs' && decision === 'allowed';
    const token = await almanac.userToken();
    const entries = await eventually(
      async () => (await almanac.call<Json[]>('GET', '/v3/audit?limit=100', { token })).body,
      (found) => found.some(isReading),
    );
    expect(entries.find(isReading)).toMatchObject({
      action: 'stack:readLogs',
      resource: `mrn:alm:stack:${stackId}`,
    });
  });
});

describe('logs that an agent sends', () => {
  it('an agent learns with its configuration that logs are wanted, sends them, and learns the end', async () => {
    await report('i-hand', { sends_logs: true });
    expect(await configHeader()).toBeNull();
    const reading = read('?instance_id=i-hand&lines=7');
    await eventually(configHeader, (header) => header === 'wanted');
    const [request] = await requestsFor('i-hand');
    expect(request).toMatchObject({ lines: 7, follow: false, source: null, container: null, since: null });
    const id = request?.request_id ?? '';
    const sent = await send('i-hand', id, { lines: [line('hello')], last: true });
    expect([sent.status, sent.body]).toEqual([200, { wanted: true }]);
    expect((await reading).body).toEqual({
      lines: [{ ...line('hello'), instance_id: 'i-hand', flag: '' }],
      instances: [{ instance_id: 'i-hand', flag: '', state: 'complete', message: '' }],
      left_out: 0,
    });
    expect(await configHeader()).toBeNull();
    expect((await send('i-hand', id, { lines: [line('late')] })).body).toEqual({ wanted: false });
  });

  it.each([
    [{ lines: [{ ...line('x'), time: 'now' }] }, 'time'],
    [{ lines: [{ ...line('x'), source: 'kernel' }] }, 'source'],
    [{ lines: Array.from({ length: 1001 }, () => line('x')) }, 'lines'],
    [{ batch: 0 }, 'batch'],
  ])('a message with an invalid member is refused (%#)', async (changes, word) => {
    const answer = await send('i-hand', 'some-request', changes);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(word) as string]);
  });

  it('an agent of another maker is named as one that cannot send logs', async () => {
    await report('i-foreign');
    const { status, body } = await read('?instance_id=i-foreign');
    expect(status).toBe(200);
    expect(body.instances).toEqual([
      {
        instance_id: 'i-foreign',
        flag: '',
        state: 'unavailable',
        message: expect.stringContaining('cannot send logs') as string,
      },
    ]);
  });
});

describe('the stream of logs', () => {
  it('has past and new lines and the states of instances, and stops the agent when the reader leaves', async () => {
    await report('i-stream', { sends_logs: true });
    const stream = await streamOf(
      almanac.url + `${logsPath()}/stream?instance_id=i-stream`,
      await almanac.userToken(),
    );
    expect(await stream.next()).toMatchObject({ event: 'instance', data: { state: 'waiting' } });
    const [request] = await requestsFor('i-stream');
    const id = request?.request_id ?? '';
    await send('i-stream', id, { lines: [line('one')] });
    expect(await stream.next()).toEqual({
      id: line('').time,
      event: 'line',
      data: { ...line('one'), instance_id: 'i-stream', flag: '' },
    });
    expect(await stream.next()).toMatchObject({ event: 'instance', data: { state: 'sending' } });
    await send('i-stream', id, { batch: 2, left_out: 3 });
    expect(await stream.next()).toMatchObject({
      event: 'gap',
      data: { instance_id: 'i-stream', lines: 3, why: 'agent' },
    });
    const held = requestsFor('i-stream', id);
    stream.close();
    expect(await held).toEqual([]);
  });

  it('resumes shortly before the last line that the reader has', async () => {
    await report('i-resume', { sends_logs: true });
    const lastId = '2030-01-01T00:00:10.000000005Z';
    const stream = await streamOf(
      almanac.url + `${logsPath()}/stream?instance_id=i-resume&lines=5`,
      await almanac.userToken(),
      { 'last-event-id': lastId },
    );
    const [request] = await requestsFor('i-resume');
    expect(request).toMatchObject({ since: '2030-01-01T00:00:07.000000000Z', lines: 1000, follow: true });
    stream.close();
  });
});

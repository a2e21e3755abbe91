import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let stackId: string;
let otherStackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate(spotGroup);
  otherStackId = await almanac.applyTemplate();
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const group = { min: 2, max: 4, availability_zones: 'ap-northeast-1a', spot_to_ondemand_ratio: 100 };
const spotGroup = {
  ...oneServer(),
  configurations: [
    {
      role: 'web',
      flag: 'web01',
      provision: { availability_zone: 'ap-northeast-1a', auto_scaling: group },
    },
  ],
};

const agentToken = () => almanac.stackToken(stackId);
const fetchAs = async (path: string, token = almanac.userToken()) =>
  almanac.call<Json[]>('GET', path, { token: await token });

describe('containers', () => {
  beforeAll(async () => {
    for (const [stack, status] of [
      [stackId, 'running'],
      [otherStackId, 'complete'],
    ] as const)
      await almanac.call('POST', '/v3/alm/agent/container_status', {
        token: await almanac.stackToken(stack),
        json: {
          stack_id: stack,
          agent_id: 'agent-1',
          container_id: 'shared',
          instance_id: `i-${status}`,
          status,
        },
      });
  });

  it('a container is described as in its latest report', async () => {
    const answer = await fetchAs('/v3/alm/container/shared');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      container_id: 'shared',
      agent_id: 'agent-1',
      update_time: expect.stringMatching(/^\d{10}$/),
      stack_id: otherStackId,
      instance_id: 'i-complete',
      status: 'complete',
    });
  });

  it('containers are listed by stack or by instance, and the instance takes precedence', async () => {
    const idsIn = async (path: string) => (await fetchAs(path)).body.map((one) => one.stack_id);
    expect(await idsIn(`/v3/alm/container?stack_id=${otherStackId}`)).toEqual([otherStackId]);
    expect(await idsIn('/v3/alm/container?instance_id=i-running')).toEqual([stackId]);
    expect(await idsIn(`/v3/alm/container?stack_id=${otherStackId}&instance_id=i-running`)).toEqual([
      stackId,
    ]);
    expect(await idsIn('/v3/alm/container?instance_id=i-nowhere')).toEqual([]);
  });

  it('listing containers requires a stack or an instance', async () => {
    const answer = await fetchAs('/v3/alm/container');
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', message: 'stack_id or instance_id not specified' });
  });

  it('unknown containers and those of other accounts are not found, and agents may not list them', async () => {
    const other = almanac.otherAccountToken();
    expect((await fetchAs('/v3/alm/container/shared', other)).status).toBe(404);
    expect((await fetchAs(`/v3/alm/container?stack_id=${stackId}`, other)).status).toBe(404);
    expect((await fetchAs('/v3/alm/container?instance_id=i-running', other)).body).toEqual([]);
    expect((await fetchAs('/v3/alm/container/unknown')).status).toBe(404);
    expect((await fetchAs('/v3/alm/container/shared', agentToken())).status).toBe(403);
  });
});

describe('spot instances', () => {
  const instanceIds = async () =>
    ((await almanac.describe(stackId)).instances as Json[]).map((instance) => String(instance.InstanceId));

  it.each([
    ['/v3/event/spot/shutdown', (): Json => ({})],
    ['/v2/event/spot/shutdown', (): Json => ({})],
    ['/v3/alm/agent/agent_status', (): Json => ({ agent_id: 'agent-spot', status: 'spot_terminate' })],
  ])('%s replaces the instance', async (path, more) => {
    const [old = ''] = await instanceIds();
    const form = { stack_id: stackId, instance_id: old, ...more() } as Record<string, string>;
    const answer = await almanac.call('POST', path, { token: await agentToken(), form });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: '' });
    await expect.poll(instanceIds).not.toContain(old);
    expect(await instanceIds()).toHaveLength(2);
  });

  it('a spot termination with another owner is rejected', async () => {
    const [instance = ''] = await instanceIds();
    const send = async (token: Promise<string>, form: Record<string, string>) =>
      (await almanac.call('POST', '/v3/event/spot/shutdown', { token: await token, form })).status;
    const own = { stack_id: stackId, instance_id: instance };
    expect(await send(agentToken(), { ...own, user_id: 'another-owner' })).toBe(403);
    expect(await send(agentToken(), { ...own, stack_id: otherStackId })).toBe(403);
    expect(await send(almanac.otherAccountToken(), own)).toBe(404);
    expect(await send(agentToken(), { stack_id: stackId })).toBe(400);
    expect(await instanceIds()).toContain(instance);
  });

  it('a spot termination of an instance that is not one of the stack is refused, and nothing is replaced', async () => {
    const before = await instanceIds();
    for (const version of ['v2', 'v3']) {
      const form = { stack_id: stackId, instance_id: 'i-of-another-stack' };
      const token = await agentToken();
      const answer = await almanac.call('POST', `/${version}/event/spot/shutdown`, { token, form });
      expect([answer.status, answer.body.message]).toEqual([
        404,
        'Instance i-of-another-stack does not exist',
      ]);
    }
    expect(await instanceIds()).toEqual(before);
    const marked = await almanac.service.database.query.selectFrom('replacements').selectAll().execute();
    expect(marked.map((row) => row.instance_id)).not.toContain('i-of-another-stack');
  });

  it('a spot termination of an instance that only its agent has reported so far is accepted', async () => {
    const token = await agentToken();
    const form = { stack_id: stackId, agent_id: 'agent-early', instance_id: 'i-early', status: 'starting' };
    await almanac.call('POST', '/v3/alm/agent/agent_status', { token, form });
    const notice = { stack_id: stackId, instance_id: 'i-early' };
    expect((await almanac.call('POST', '/v3/event/spot/shutdown', { token, form: notice })).status).toBe(202);
  });

  it('reports of agents older than v3 are listed as containers', async () => {
    const form = { stack_id: stackId, instance_id: 'i-old-agent', status: 'running' };
    const answer = await almanac.call('POST', '/v2/alm/instance/status', { token: await agentToken(), form });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: '' });
    expect((await fetchAs('/v3/alm/container/i-old-agent')).body).toMatchObject({
      status: 'running',
      agent_id: 'i-old-agent',
    });
  });

  it('reports that name no agent keep the agent of the container', async () => {
    const token = await agentToken();
    const own = { stack_id: stackId, instance_id: 'i-with-agent', status: 'running' };
    const first = { ...own, container_id: 'i-with-agent', agent_id: 'the-agent' };
    await almanac.call('POST', '/v3/alm/agent/container_status', { token, json: first });
    await almanac.call('POST', '/v2/alm/instance/status', { token, form: { ...own, status: 'terminated' } });
    expect((await fetchAs('/v3/alm/container/i-with-agent')).body).toMatchObject({
      status: 'terminated',
      agent_id: 'the-agent',
    });
  });
});

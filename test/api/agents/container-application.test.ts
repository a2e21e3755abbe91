import { beforeAll, describe, expect, it } from 'vitest';
import { saveAppInstance } from '../../../src/store/stacks/app-instances.ts';
import { listLayerRevisions } from '../../../src/store/stacks/layer-revisions.ts';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const digest = `sha256:${'a'.repeat(64)}`;
let stackId: string;
beforeAll(async () => {
  const { configurations, ...rest } = oneServer();
  const container = { container_image: 'shop:2' };
  stackId = await almanac.applyTemplate({
    ...rest,
    configurations: configurations.map((layer) => Object.assign({}, layer, { container })),
  });
});

const list = async () =>
  (
    await almanac.call<Json[]>('GET', `/v3/alm/container?stack_id=${stackId}`, {
      token: await almanac.userToken(),
    })
  ).body;

/** As an agent reports it. */
async function report(
  instanceId: string,
  more: { revision: number; serving: number; state: 'serving' | 'failing' },
) {
  await almanac.call('POST', '/v3/alm/agent/container_status', {
    token: await almanac.stackToken(stackId),
    json: {
      stack_id: stackId,
      agent_id: 'agent-1',
      container_id: instanceId,
      instance_id: instanceId,
      status: 'complete',
    },
  });
  const { query } = almanac.service.database;
  const [layer] = await listLayerRevisions(query, stackId);
  const current = layer?.updated ?? 0;
  await saveAppInstance(query, {
    stack_id: stackId,
    instance_id: instanceId,
    flag: layer?.flag ?? '',
    revision: current + more.revision,
    serving_revision: more.serving === 0 ? 0 : current + more.revision,
    state: more.state,
    is_definite: 0,
    since: Date.parse('2030-01-01T00:00:00Z'),
    reason: more.state === 'failing' ? 'It exits with 3.' : '',
    last_lines: '',
    image: 'shop:1',
    digest,
    reported_at: Date.now(),
    every_seconds: 0,
  });
}

describe('the containers of a stack', () => {
  it('have no image and no state if their instance does not say what it serves', async () => {
    await almanac.call('POST', '/v3/alm/agent/container_status', {
      token: await almanac.stackToken(stackId),
      json: {
        stack_id: stackId,
        agent_id: 'a',
        container_id: 'i-old',
        instance_id: 'i-old',
        status: 'complete',
      },
    });
    const [only] = await list();
    expect(Object.keys(only ?? {})).toEqual([
      'container_id',
      'agent_id',
      'update_time',
      'stack_id',
      'instance_id',
      'status',
    ]);
  });

  it('have the image that serves, and the state of their instance with its reason', async () => {
    await report('i-new', { revision: 0, serving: 1, state: 'serving' });
    await report('i-bad', { revision: 0, serving: 0, state: 'failing' });
    await report('i-late', { revision: -10, serving: 1, state: 'serving' });
    const found = new Map((await list()).map((each) => [each.instance_id, each]));
    const common = { image: 'shop:1', digest, since: '2030-01-01T00:00:00.000Z' };
    expect(found.get('i-new')).toMatchObject({ ...common, state: 'serving', reason: '' });
    expect(found.get('i-bad')).toMatchObject({ ...common, state: 'failing', reason: 'It exits with 3.' });
    expect(found.get('i-late')).toMatchObject({ ...common, state: 'starting' });
    const { body } = await almanac.call('GET', '/v3/alm/container/i-bad', {
      token: await almanac.userToken(),
    });
    expect(body).toMatchObject({ state: 'failing', reason: 'It exits with 3.' });
  });
});

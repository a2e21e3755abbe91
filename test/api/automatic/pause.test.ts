import { describe, expect, it } from 'vitest';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import { useAutomatic, withContainers } from './automatic-caller.ts';

const { almanac, clock, push, pushAndDeploy, deploy, create, versionsOf, imagesOf, host } = useAutomatic();
const access = new AccessCaller(almanac);

const pathOf = (stackId: string) => `/v3/alm/stack/${stackId}/automatic`;
const stateOf = async (stackId: string) =>
  (await almanac.call('GET', pathOf(stackId), { token: await almanac.userToken() })).body;
const setPaused = async (stackId: string, paused: unknown, token?: string) =>
  almanac.call('PUT', pathOf(stackId), { token: token ?? (await almanac.userToken()), json: { paused } });

const following = async (track: string): Promise<string> =>
  String((await create(withContainers({ track }))).body.stack_id);

describe('a paused stack', () => {
  it('gets no version from a push, shows what it would have got, and gets the next push after it is resumed', async () => {
    const first = await push('root/shop', 'latest', 'one');
    const stackId = await following('root/shop:latest');
    expect(await stateOf(stackId)).toMatchObject({
      paused: false,
      deploy_hook: false,
      last_version: null,
      layers: [
        {
          flag: 'web0',
          track: 'root/shop:latest',
          image: `${host()}/root/shop:latest@${first}`,
          digest: first,
          would_have_deployed: null,
        },
      ],
    });
    expect((await setPaused(stackId, true)).body).toMatchObject({ paused: true, paused_by: 'root' });
    await pushAndDeploy('root/shop', 'latest', 'two');
    const third = await pushAndDeploy('root/shop', 'latest', 'three');
    expect(await versionsOf(stackId)).toHaveLength(1);
    expect(await stateOf(stackId)).toMatchObject({
      layers: [{ digest: first, would_have_deployed: { tag: 'latest', digest: third } }],
    });
    expect((await setPaused(stackId, false)).body).toMatchObject({ paused: false, paused_by: '' });
    clock.advance(10_000);
    await deploy();
    expect(await versionsOf(stackId)).toHaveLength(1);
    const fourth = await pushAndDeploy('root/shop', 'latest', 'four');
    expect(await imagesOf(stackId)).toEqual([`root/shop:latest@${fourth}`]);
    expect(await stateOf(stackId)).toMatchObject({
      layers: [{ digest: fourth, would_have_deployed: null }],
      last_version: { cause: expect.stringContaining('root/shop:latest was pushed') },
    });
  });

  it('gets no version from its deploy hook', async () => {
    const stackId = String((await create(withContainers({ image: 'example/shop:1' }))).body.stack_id);
    const token = await almanac.userToken();
    const made = await almanac.call('POST', `/v3/alm/stack/${stackId}/deploy-hook`, { token });
    await setPaused(stackId, true);
    expect(await stateOf(stackId)).toMatchObject({ paused: true, deploy_hook: true });
    const called = await almanac.call('POST', new URL(String(made.body['url'])).pathname, {
      token: String(made.body['secret']),
      json: {},
    });
    expect(called.body).toMatchObject({ result: 'paused' });
    expect(await versionsOf(stackId)).toHaveLength(1);
  });

  it('is paused and resumed only by who may update it, and with true or false only', async () => {
    const stackId = String((await create(withContainers({ image: 'example/shop:1' }))).body.stack_id);
    const looker = await access.makeUser('looker');
    const role_id = await access.makeRole('looker', scopeAllowing('stack:describe*', 'cred:*', 'vendor:*'));
    await access.call('POST', '/v3/user/role', { json: { username: 'looker', role_id } });
    expect((await setPaused(stackId, true, looker.token)).status).toBe(403);
    expect((await almanac.call('GET', pathOf(stackId), { token: looker.token })).status).toBe(200);
    expect((await setPaused(stackId, 'perhaps')).status).toBe(400);
    const stranger = await almanac.otherAccountToken();
    expect((await setPaused(stackId, true, stranger)).status).toBe(404);
    expect((await almanac.call('GET', pathOf(stackId), { token: stranger })).status).toBe(404);
    expect(await stateOf(stackId)).toMatchObject({ paused: false });
  });
});

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SshHost } from './host.ts';
import { SshWorld } from './world.ts';

let world: SshWorld;
beforeAll(async () => {
  world = await SshWorld.start();
});
afterAll(() => world.close());

const knownKeys = () => world.almanac.service.database.query.selectFrom('host_keys').selectAll().execute();
const forget = async (instanceId: string, token?: string) =>
  world.call('DELETE', `/v3/alm/stack/${world.stackId}/host_key/${instanceId}`, token ? { token } : {});

describe('the host key of an instance', () => {
  it('is noted when it is first reached, also by several at once, and told in the events', async () => {
    expect(await knownKeys()).toEqual([]);
    const answers = await Promise.all([world.run('true'), world.run('true'), world.run('true')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { id } = await world.firstInstance();
    expect(await knownKeys()).toMatchObject([
      {
        stack_id: world.stackId,
        instance_id: id,
        host_key: expect.stringMatching(/^ecdsa-sha2-nistp256 AAAA/),
      },
    ]);
    const told = (await world.events()).filter((message) => message.includes('host key'));
    expect(told).toEqual([
      expect.stringMatching(
        new RegExp(`^Instance ${id} .* first time; its host key is SHA256:[\\w+/]{43}\\.$`),
      ),
    ]);
  });

  it('is not noted of a host that does not take the key', async () => {
    const [, second] = await world.instances();
    const stranger = await SshHost.start();
    world.configure({ dial: async () => connect({ port: stranger.port, host: '127.0.0.1' }) });
    const answer = await world.exec({ instance_id: second?.id, script: 'true' });
    world.configure({});
    await stranger.close();
    expect(answer.status).toBe(502);
    expect(answer.body.message).toContain('it does not take the key for this user');
    expect(await knownKeys()).toHaveLength(1);
  });

  it('must stay the same: another one is refused, until it is forgotten', async () => {
    const { id } = await world.firstInstance();
    await world.host.close();
    await world.host.listen();
    const signedIn = world.host.users.length;
    const refused = await world.run('true');
    expect(world.host.users).toHaveLength(signedIn);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(`Instance ${id} shows another host key than when it was first reached`);
    expect(refused.body.description).toContain(`DELETE /v3/alm/stack/${world.stackId}/host_key/${id}`);
    expect((await world.events()).at(-1)).toMatch(/in vain: .* shows another host key/);
    const client = await world.terminal();
    await client.hears('shows another host key');
    expect(await client.closes()).toBe(1011);

    expect((await forget(id)).body).toEqual({ status: 'success' });
    expect((await world.events()).at(-1)).toBe(`root forgot the host key of instance ${id}.`);
    expect((await world.run('true')).status).toBe(200);
    expect(await knownKeys()).toHaveLength(1);
  });

  it('is each instance’s own', async () => {
    const [, second] = await world.instances();
    expect((await world.exec({ instance_id: second?.id, script: 'true' })).status).toBe(200);
    expect(await knownKeys()).toHaveLength(2);
  });
});

describe('forgetting one', () => {
  it('that is not known is not found', async () => {
    expect((await forget('i-unknown')).status).toBe(404);
  });

  it('is for whoever may read the key', async () => {
    const { almanac, stackId } = world;
    const { id } = await world.firstInstance();
    expect((await forget(id, await almanac.stackToken(stackId))).status).toBe(403);
    expect((await forget(id, await almanac.clientToken())).status).toBe(403);
    expect((await forget(id, await almanac.otherAccountToken())).status).toBe(404);
    expect(await knownKeys()).toHaveLength(2);
  });
});

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
const deleteKey = async (instanceId: string, token?: string) =>
  world.call('DELETE', `/v3/alm/stack/${world.stackId}/host_key/${instanceId}`, token ? { token } : {});

describe('the host key of an instance', () => {
  it('is stored on first use, even by concurrent connections, and reported in the events', async () => {
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
    const messages = (await world.events()).filter((message) => message.includes('host key'));
    expect(messages).toEqual([
      expect.stringMatching(
        new RegExp(`^First ssh connection to instance ${id}; its host key is SHA256:[\\w+/]{43}\\.$`),
      ),
    ]);
  });

  it('is not stored if the host rejects the private key', async () => {
    const [, second] = await world.instances();
    const otherHost = await SshHost.start();
    world.configure({ dial: async () => connect({ port: otherHost.port, host: '127.0.0.1' }) });
    const answer = await world.exec({ instance_id: second?.id, script: 'true' });
    world.configure({});
    await otherHost.close();
    expect(answer.status).toBe(502);
    expect(answer.body.message).toContain('it rejects the key for this user');
    expect(await knownKeys()).toHaveLength(1);
  });

  it('must not change: another key is refused until the known one is deleted', async () => {
    const { id } = await world.firstInstance();
    await world.host.close();
    await world.host.listen();
    const signedIn = world.host.users.length;
    const refused = await world.run('true');
    expect(world.host.users).toHaveLength(signedIn);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(`The host key of instance ${id} has changed`);
    expect(refused.body.description).toContain(`DELETE /v3/alm/stack/${world.stackId}/host_key/${id}`);
    expect((await world.events()).at(-1)).toMatch(/and failed: The host key of .* has changed\.$/);
    const client = await world.terminal();
    await client.receives('The host key of');
    expect(await client.closes()).toBe(1011);

    expect((await deleteKey(id)).body).toEqual({ status: 'success' });
    expect((await world.events()).at(-1)).toBe(`root deleted the known host key of instance ${id}.`);
    expect((await world.run('true')).status).toBe(200);
    expect(await knownKeys()).toHaveLength(1);
  });

  it('is stored per instance', async () => {
    const [, second] = await world.instances();
    expect((await world.exec({ instance_id: second?.id, script: 'true' })).status).toBe(200);
    expect(await knownKeys()).toHaveLength(2);
  });
});

describe('deleting a known host key', () => {
  it('that does not exist is not found', async () => {
    expect((await deleteKey('i-unknown')).status).toBe(404);
  });

  it('requires permission to read the private key', async () => {
    const { almanac, stackId } = world;
    const { id } = await world.firstInstance();
    expect((await deleteKey(id, await almanac.stackToken(stackId))).status).toBe(403);
    expect((await deleteKey(id, await almanac.clientToken())).status).toBe(403);
    expect((await deleteKey(id, await almanac.otherAccountToken())).status).toBe(404);
    expect(await knownKeys()).toHaveLength(2);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import { SshWorld } from './world.ts';

let world: SshWorld;
beforeAll(async () => {
  world = await SshWorld.start();
});
afterAll(() => world.close());

const expectDisconnect = async (client: Awaited<ReturnType<SshWorld['terminal']>>, reason: RegExp) => {
  expect(await client.closes()).toBe(1011);
  expect(client.texts.at(-1)).toMatch(reason);
};

describe('a terminal is disconnected', () => {
  it('when it has no input or output for a while', async () => {
    world.configure({ idleSeconds: 0.5 });
    await expectDisconnect(await world.terminal(), /No input or output for 0.5 s/);
    world.configure({});
  });

  it('when it reaches its time limit, even if it is busy', async () => {
    world.configure({ maxSeconds: 0.6, idleSeconds: 0.5, recheckSeconds: 0.1 });
    const client = await world.terminal();
    client.type('while sleep 0.1; do echo busy; done\n');
    await expectDisconnect(client, /The time limit of 0.6 s is reached/);
    expect(client.shown).toContain('busy');
    world.configure({});
  });

  it('when its access token is revoked', async () => {
    world.configure({ recheckSeconds: 0.1 });
    const user = await userWithPermission('revoked');
    const client = await world.terminal({}, user.token);
    await client.receives('ready');
    const { query } = world.almanac.service.database;
    await query.deleteFrom('access_tokens').where('subject', '=', user.userId).execute();
    await expectDisconnect(client, /The access token of this terminal is no longer valid/);
    world.configure({});
  });

  it('when its user loses permission to read the key', async () => {
    world.configure({ recheckSeconds: 0.1 });
    const user = await userWithPermission('dismissed');
    const client = await world.terminal({}, user.token);
    await client.receives('ready');
    const { query } = world.almanac.service.database;
    await query.deleteFrom('user_roles').where('user_id', '=', user.userId).execute();
    await expectDisconnect(client, /Your roles no longer allow it/);
    await expect
      .poll(async () => (await world.events()).at(-1))
      .toMatch(/^dismissed had a terminal .* disconnected: Your roles no longer allow it\.$/);
    world.configure({});
  });

  it('when its stack is deleted', async () => {
    world.configure({ recheckSeconds: 0.1 });
    const client = await world.terminal();
    await client.receives('ready');
    await world.call('DELETE', `/v3/alm/stack/${world.stackId}?servers=replace`);
    await world.almanac.waitFor(world.stackId, 'DELETE_COMPLETE');
    await expectDisconnect(client, /The stack was deleted/);
    expect((await world.exec({ script: 'true' })).status).toBe(404);
  });
});

describe('a server that stops', () => {
  it('disconnects its terminals with a reason and does not wait for commands', async () => {
    const other = await SshWorld.start(1);
    const client = await other.terminal();
    await client.receives('ready');
    const running = other.run('sleep 30').catch(() => null);
    await expect.poll(() => other.host.connections).toBe(2);
    const begin = performance.now();
    await other.close();
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(await client.closes()).toBe(1001);
    expect(client.texts.at(-1)).toMatch(/The server is stopping/);
    expect((await running)?.status).toBe(503);
  });
});

async function userWithPermission(name: string) {
  const master = new AccessCaller(world.almanac);
  const user = await master.makeUser(name);
  const role_id = await master.makeRole(name, scopeAllowing('stack:*', 'cred:describe*', 'vendor:describe*'));
  await master.call('POST', '/v3/user/role', { json: { username: name, role_id } });
  return user;
}

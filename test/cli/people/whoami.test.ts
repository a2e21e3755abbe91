import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '../../e2e/almanac-process.ts';
import type { Json } from '../../http.ts';
import { AlmUser } from '../alm.ts';
import { header, PeopleWorld, rowOf, tableTime } from './world.ts';

let world: PeopleWorld;
beforeAll(async () => {
  world = await PeopleWorld.start();
});
afterAll(() => world.close());

describe('alm whoami', () => {
  it('shows the user, the account and when the token expires, as a table and as the response of the service', async () => {
    const ann = await world.newUser('ann');
    const { code, stdout } = await ann.run(['whoami']);
    expect(code).toBe(0);
    expect(header(stdout)).toEqual(['USER', 'MASTER', 'ACCOUNT', 'EXPIRES']);
    const [, master, account, expires] = rowOf(stdout, 'ann') ?? [];
    const { account_id } = await world.get('/v3/account');
    expect([master, account]).toEqual(['no', account_id]);
    expect(expires).toMatch(tableTime);
    expect(rowOf((await world.root.run(['whoami'])).stdout, 'root')?.[1]).toBe('yes');

    const { user } = await ann.json<{ user: Json }>(['whoami', '--fmt', 'json']);
    expect(user).toEqual({ name: 'ann', namespace: 'ann', master: false, account_id });
  });

  it('lists with --permissions every action with the reason, in general or for one stack', async () => {
    const bob = await world.newUser('bob');
    const { stdout } = await bob.run(['whoami', '--permissions']);
    expect(header(stdout)).toEqual(['ACTION', 'ALLOWED', 'REASON']);
    expect(rowOf(stdout, 'stack:deleteStack ')?.[1]).toBe('yes');
    const [, allowed, reason] = rowOf(stdout, 'user:') ?? [];
    expect([allowed, reason]).toEqual(['no', 'Only the master account has permission for this request.']);

    const stackId = await world.stack();
    const flags = ['whoami', '--permissions', '--stack', stackId, '--fmt', 'json'];
    const { actions } = await world.root.json<{ actions: Record<string, Json> }>(flags);
    expect(actions['stack:deleteStack']).toMatchObject({ allowed: true });
    // A stack that the user may not see is like one that does not exist.
    expect((await bob.run(flags)).code).toBe(6);
  });

  it('refuses an invalid token with exit code 4 instead of an empty answer, and a stack without --permissions with 2', async () => {
    const nobody = new AlmUser({ ALM_URL: world.served.server.url, ALM_TOKEN: 'invalid' });
    const { code, stdout } = await nobody.run(['whoami']);
    expect([code, stdout]).toEqual([4, '']);
    expect((await nobody.run(['whoami', '--stack', 'x'])).code).toBe(2);
    nobody.close();
  });

  it('refuses an API client with exit code 5 and says how to sign in as a user', async () => {
    const { client_id: ALM_CLIENT_ID, client_secret: ALM_CLIENT_SECRET } = login;
    const program = new AlmUser({ ALM_URL: world.served.server.url, ALM_CLIENT_ID, ALM_CLIENT_SECRET });
    const { code, stderr } = await program.run(['whoami']);
    expect(code).toBe(5);
    expect(stderr).toContain('sign in with grant_type password');
    program.close();
  });
});

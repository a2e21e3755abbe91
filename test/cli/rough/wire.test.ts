import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { FakeServer, freshToken, isSignIn, sendJson } from './fake-server.ts';
import { runBriefly } from './run.ts';

/** A fake server: every change succeeds at once. */
let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  server = await FakeServer.start((request, response) => {
    if (isSignIn(request)) return sendJson(response, 200, freshToken('a-token'));
    const done = { status: 'success', stack_id: 'mo-1', version_id: '1', role_id: 'role-1' };
    return sendJson(response, 200, request.method === 'GET' ? [] : done);
  });
  user = new AlmUser({ ALM_URL: server.url });
});
afterEach(() => void server.requests.splice(0));
afterAll(() => {
  server.close();
  user.close();
});

const sentBy = async (...args: string[]) => {
  const { code, stderr } = await runBriefly(user, args, { env: { ALM_TOKEN: 'a-token' } });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return server.requests;
};

describe('what alm sends', () => {
  const role = ['--user', 'ann', '--role-id', 'role 1&x'];
  it.each([
    ['POST /v3/role', ['rbac', 'create', '--name', 'all', '--allow-all'], { name: 'all' }],
    ['PUT /v3/role/r', ['rbac', 'update', '--role-id', 'r', '--name', 'all', '--allow-all'], { name: 'all' }],
    ['POST /v3/user/role', ['rbac', 'attach', ...role], { username: 'ann', role_id: 'role 1&x' }],
    ['PUT /v3/user/role/role%201%26x', ['rbac', 'reattach', ...role], { username: 'ann' }],
  ])('%s has a form', async (call, args, members) => {
    const [request] = await sentBy(...args);
    expect(`${request?.method} ${request?.path}`).toBe(call);
    expect(request?.contentType).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject(members);
  });

  it('a v2 stack with a database has DBtype, and strings as values of the database', async () => {
    const database = '--usedb --dbengine db_mysql --dbtype db.t2.micro --dbstorage 10 --dbread-replica2';
    const [request] = await sentBy(
      ...`stack create --apiver v2 --cred SANDBOX --arch art_elb ${database}`.split(' '),
    );
    expect(request?.contentType).toBe('application/json');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      configurations: {
        database: [{ Engine: 'db_mysql', DBtype: 'db.t2.micro', DBStorage: '10', ReadReplica2: 'true' }],
      },
    });
  });

  it('variables of a server configuration are an array of pairs, and an empty one clears them', async () => {
    await sentBy('svrconf', 'update', 'mo-1', '--env', 'MODE:live,URL:http://x');
    await sentBy('svrconf', 'update', 'mo-1', '--env', 'null');
    expect(server.requests.map(({ body }) => (JSON.parse(body) as { envvars: unknown }).envvars)).toEqual([
      [
        { name: 'MODE', value: 'live' },
        { name: 'URL', value: 'http://x' },
      ],
      [],
    ]);
  });

  it('every request names alm and its version', async () => {
    await runBriefly(user, ['stack', 'list'], { env: { ALM_USERNAME: 'ann', ALM_PASSWORD: 'x' } });
    expect(server.calls).toEqual(['POST /v3/access_token', 'GET /v3/alm/stack']);
    for (const { userAgent } of server.requests) expect(userAgent).toMatch(/^alm\/\d+\.\d+\.\d+$/);
  });
});

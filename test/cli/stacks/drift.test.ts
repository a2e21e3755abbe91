import { afterEach, beforeEach, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { FakeServer, sendJson } from '../rough/fake-server.ts';

const path = '/v3/alm/stack/mo-1/drift';
const drifted = {
  stack_id: 'mo-1',
  state: 'drifted',
  checked_at: '2026-05-01T10:00:00+00:00',
  reason: '',
  resources: [
    {
      resource: 'SecurityGroupWeb',
      resource_type: 'AWS::EC2::SecurityGroup',
      kind: 'changed',
      members: [{ path: 'SecurityGroupIngress/0/CidrIp', expected: '10.0.0.0/8', actual: '0.0.0.0/0' }],
    },
    { resource: 'QueueWeb', resource_type: 'AWS::SQS::Queue', kind: 'deleted', members: [] },
  ],
};

let user: AlmUser;
let server: FakeServer;
/** What the next requests for the result are answered with; the last one stays. */
let results: object[];
beforeEach(async () => {
  server = await FakeServer.start(({ method }, response) =>
    method === 'POST'
      ? sendJson(response, 202, { status: 'success', stack_id: 'mo-1' })
      : sendJson(response, 200, results.length > 1 ? results.shift() : results[0]),
  );
  user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'a-token' });
});
afterEach(() => {
  server.close();
  user.close();
});

it('alm stack drift shows the last check: each member that differs, and each resource that is gone', async () => {
  results = [drifted];
  const { code, stdout, stderr } = await user.run(['stack', 'drift', 'mo-1', '--wide']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /SecurityGroupWeb .*changed +SecurityGroupIngress\/0\/CidrIp +10\.0\.0\.0\/8 +0\.0\.0\.0\/0/,
  );
  expect(stdout).toMatch(/QueueWeb .*deleted/);
  expect(stderr).toContain('Checked at 2026-05-01T10:00:00+00:00.');
  expect(server.calls).toEqual([`GET ${path}`]);
});

it('alm stack drift --check starts a check and waits for its result', async () => {
  const before = { ...drifted, state: 'in_sync', checked_at: '2026-04-30T10:00:00+00:00', resources: [] };
  // The last but one: a server that shows the result before.
  results = [before, { ...before, state: 'checking' }, before, drifted];
  const { code, stdout } = await user.run(['stack', 'drift', 'mo-1', '--check', '--fmt', 'json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(drifted);
  const calls = ['GET', 'POST', 'GET', 'GET', 'GET'].map((method) => `${method} ${path}`);
  expect(server.calls).toEqual(calls);
});

it('alm stack drift --check ends after --wait-timeout without a result', async () => {
  results = [{ ...drifted, state: 'checking' }];
  const { code, stderr } = await user.run(['stack', 'drift', 'mo-1', '--check', '--wait-timeout', '1']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('The check has not ended yet.');
});

it('alm stack drift has a row for a resource of which the cloud does not say what differs, and what was not compared', async () => {
  const [changed] = drifted.resources;
  results = [{ ...drifted, reason: 'Networks are not compared.', resources: [{ ...changed, members: [] }] }];
  const { stdout, stderr } = await user.run(['stack', 'drift', 'mo-1', '--wide']);
  expect(stdout).toMatch(/SecurityGroupWeb .*changed/);
  expect(stderr).toContain('1 resource differs.');
  expect(stderr).toContain('Networks are not compared.');
});

it('alm stack drift fails with the reason of a check that failed', async () => {
  results = [{ ...drifted, state: 'failed', reason: 'Rate exceeded', resources: [] }];
  const { code, stderr } = await user.run(['stack', 'drift', 'mo-1', '--check']);
  expect(code).toBe(3);
  expect(stderr).toContain('The check failed: Rate exceeded');
});

it('alm stack restart-instance names the instance to the service', async () => {
  server.close();
  const reply = { status: 'success', reason: 'Instance i-1 is rebooted' };
  server = await FakeServer.start((_request, response) => sendJson(response, 200, reply));
  const args = ['stack', 'restart-instance', 'mo-1', 'i-1', '--apiver', 'v2'];
  const { code, stdout } = await user.run(args, { env: { ALM_URL: server.url } });
  expect([code, JSON.parse(stdout)]).toEqual([0, reply]);
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/v2/alm/stack/mo-1/restart_instance',
      body: JSON.stringify({ instance_id: 'i-1' }),
    },
  ]);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, ServedAlmanac } from '../../api/served-almanac.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { AlmUser, almProgram } from '../alm.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
let stackId: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  stackId = await almanac.applyTemplate(oneServer(2));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const report = async (instance_id: string, more: Json = {}) =>
  almanac.call('POST', '/v3/alm/agent/agent_status', {
    token: await almanac.stackToken(stackId),
    json: { stack_id: stackId, agent_id: 'agent-1', status: 'uptodate', instance_id, ...more },
  });

it('shows time, layer, instance, writer and text of each line', async () => {
  const { code, stdout, stderr } = await root.run(['logs', stackId, '--source', 'agent', '--lines', '1']);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d web0 i-\w+ agent \S/);
});

it('prints the answer of the service as JSON, limited by the flags', async () => {
  const args = ['logs', stackId, '--flag', 'web0', '--source', 'agent', '--fmt', 'json'];
  const { lines, instances } = await root.json<{ lines: Json[]; instances: Json[] }>(args);
  expect(instances).toHaveLength(2);
  expect(new Set(lines.map(({ source }) => source))).toEqual(new Set(['agent']));
});

it('with --follow prints one JSON object per line as they are written, and Ctrl-C ends it with exit code 130', async () => {
  const child = spawn(process.execPath, [almProgram, 'logs', stackId, '--follow', '--fmt', 'json'], {
    env: root.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const lines = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Json);
  await eventually(
    async () => lines().some(({ source }) => source === 'container'),
    (found) => found,
    60,
  );
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(new Set(lines().map((line) => JSON.stringify(line))).size).toBe(lines().length);
});

it('an instance whose agent cannot send logs is a warning, and exit code 8 if there is no other', async () => {
  await report('i-foreign');
  const { code, stdout, stderr } = await root.run(['logs', stackId, '--instance', 'i-foreign']);
  expect([code, stdout]).toEqual([8, '']);
  expect(stderr).toContain('The agent of instance i-foreign cannot send logs.');
});

it.each([
  [['logs', 'mo-unknown'], 6],
  [['logs', '--lines', '5000', 'mo-unknown'], 2],
  [['logs', '--source', 'kernel', 'mo-unknown'], 2],
])('alm %j ends with exit code %s', async (args, expected) => {
  expect((await root.run(args)).code).toBe(expected);
});

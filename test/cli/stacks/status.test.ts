import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, ServedAlmanac } from '../../api/served-almanac.ts';
import { eventually } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { AlmUser, almProgram } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
let token: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  token = await almanac.userToken();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: token });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const create = async (): Promise<string> => {
  const stackId = await almanac.applyTemplate(oneServer(1));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
};
const fail = async (stackId: string): Promise<void> => {
  const json = { kind: 'fail_resource', position: 1, stack_id: stackId };
  await almanac.call('POST', '/v3/sandbox/fault', { token, json });
  await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(2) });
  await almanac.waitFor(stackId, 'UPDATE_FAILED');
};
const remove = (stackId: string) =>
  almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
const cellsOf = (line: string): string[] => line.split(/ {5,}/);

describe('alm status', () => {
  it('lists all stacks of both API versions, a failed one first with its reason, and ends with exit code 3 because of it', async () => {
    const flags = ['--apiver', 'v2', '--arch', 'art_elb', '--type', 't2.micro', '--min', '1', '--max', '2'];
    const old = await root.json<{ stack_id: string }>(['stack', 'create', ...flags]);
    const [failing, complete] = [await create(), await create()];
    await eventually(
      async () => (await root.run(['status'])).code,
      (code) => code === 0,
      30,
    );

    await fail(failing);
    const { code, stdout, stderr } = await root.run(['status']);
    expect(code).toBe(3);
    const [header = '', first = '', ...others] = stdout.trimEnd().split('\n');
    expect(cellsOf(header)).toEqual([
      'STACK ID',
      'STACK NAME',
      'STATUS',
      'HEALTH',
      'RUNNING',
      'PLATFORM',
      'API',
      'DETAIL',
    ]);
    const [id, , status, health, , platform, api, detail] = cellsOf(first);
    expect([id, status, health]).toEqual([failing, 'UPDATE_FAILED', 'none']);
    expect([platform, api]).toEqual(['sandbox ap-northeast-1', 'v3']);
    expect(detail).toBe((await almanac.describe(failing)).stack_status_reason);
    expect(new Set(others.map((line) => cellsOf(line)[0]))).toEqual(new Set([old.stack_id, complete]));
    expect(others.find((line) => line.startsWith(old.stack_id))).toMatch(/ v2 *$/);
    expect(stderr).toContain('1 failed, 2 complete.');

    const json = await root.run(['status', '--fmt', 'json']);
    expect(json.code).toBe(3);
    const stacks = JSON.parse(json.stdout) as Json[];
    expect(stacks.map((stack) => stack.stack_id)[0]).toBe(failing);
    expect(stacks).toHaveLength(3);
    expect(json.stdout).not.toContain('auth_token');
    await Promise.all([failing, complete].map(remove));
  });

  it('with --watch writes each change as one JSON object per line, and Ctrl-C ends it with exit code 130', async () => {
    const child = spawn(process.execPath, [almProgram, 'status', '--watch', '--fmt', 'json'], {
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
    const seen = (wanted: (line: Json) => boolean) =>
      eventually(
        async () => lines().some(wanted),
        (found) => found,
        30,
      );
    const stackId = await create();
    await seen((line) => line.stack_id === stackId && line.stack_status === 'CREATE_COMPLETE');
    await remove(stackId);
    await seen((line) => line.stack_id === stackId && line.deleted === true);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    const texts = lines().map((line) => JSON.stringify(line));
    expect(texts).toEqual([...new Set(texts)]);
  });

  it('with --watch on a terminal redraws one screen, and says that it is live', async () => {
    const session = new PtySession(root, ['status', '--watch'], {}, { cols: 200, rows: 12 });
    await session.shows('live, Ctrl-C ends');
    const stackId = await create();
    await session.shows(new RegExp(`${stackId}.*CREATE_COMPLETE`), 30);
    await fail(stackId);
    await session.shows(/1 failed.*live, Ctrl-C ends/, 30);
    session.type('\u0003');
    expect(await session.ended()).toBe(130);
    await remove(stackId);
  });
});

describe('alm stack resources', () => {
  it('lists every resource with its status, id and dependencies, and warns of a failed one with the reason', async () => {
    const stackId = await create();
    const listed = await almanac.call<{ resources: { name: string; status: string }[] }>(
      'GET',
      `/v3/alm/stack/${stackId}/resources`,
      { token },
    );
    const { code, stdout, stderr } = await root.run(['stack', 'resources', stackId]);
    expect([code, stderr]).toEqual([0, '']);
    const [header = '', ...rows] = stdout.trimEnd().split('\n');
    expect(cellsOf(header)).toEqual(['NAME', 'KIND', 'TYPE', 'LAYER', 'STATUS', 'ID', 'DEPENDS ON']);
    expect(rows.map((row) => cellsOf(row)[0])).toEqual(listed.body.resources.map(({ name }) => name));
    expect(await root.json(['stack', 'resources', stackId, '--fmt', 'json'])).toEqual(listed.body);

    await fail(stackId);
    const failed = await root.run(['stack', 'resources', stackId]);
    expect(failed.stdout).toMatch(/ failed /);
    expect(failed.stderr).toMatch(/warning: \S+: .+/);
    await remove(stackId);
  });

  it('of a stack that does not exist ends with exit code 6', async () => {
    expect((await root.run(['stack', 'resources', 'mo-none-000000000-tk'])).code).toBe(6);
  });
});

describe('alm template schema', () => {
  it('prints the schema of the service unchanged, as JSON or YAML', async () => {
    const { body } = await almanac.call('GET', '/v3/alm/template/schema');
    expect(await root.json(['template', 'schema'])).toEqual(body);
    expect((await root.run(['template', 'schema', '--fmt', 'yaml'])).stdout).toMatch(/^\$schema: /m);
  });

  it('prints the schema of configurations for API v2', async () => {
    const { body } = await almanac.call('GET', '/v2/alm/configuration/schema');
    expect(await root.json(['template', 'schema', '--apiver', 'v2'])).toEqual(body);
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../http.ts';
import { type AlmUser, firstStack, type Served, serveForAlm } from '../alm.ts';

let served: Served;
let root: AlmUser;
beforeAll(async () => {
  served = await serveForAlm();
  root = served.root;
});
afterAll(() => served.close());

const create = () => root.json<Json>(['stack', 'create', '--alm-template', firstStack]);

describe('output', () => {
  it('writes every format, to standard output or a file', async () => {
    const { stack_id: id } = await create();
    await served.server.waitFor(String(id), 'CREATE_COMPLETE');
    const raw = await root.run(['stack', 'describe', String(id), '--fmt', 'raw']);
    const body = JSON.parse(raw.stdout) as Json;
    expect(raw.stdout.split('\n')).toHaveLength(2);
    const json = await root.run(['stack', 'describe', String(id), '--fmt', 'json', '--indent', '4']);
    expect(json.stdout).toBe(`${JSON.stringify(body, null, 4)}\n`);
    const min = await root.run(['stack', 'describe', String(id), '--fmt', 'min']);
    expect(min.stdout).toBe(`${JSON.stringify(body)}\n`);
    const yaml = await root.run(['stack', 'describe', String(id), '--fmt', 'yaml']);
    expect(parse(yaml.stdout)).toEqual(body);
    const file = await root.run(['stack', 'list', '--out', 'list.txt']);
    expect(file).toMatchObject({ code: 0, stdout: '' });
    expect(file.stderr).toContain('Output written to list.txt.');
    expect(readFileSync(join(root.home, 'list.txt'), 'utf8')).toMatch(/^STACK ID/);
    expect(statSync(join(root.home, 'list.txt')).mode & 0o777).toBe(0o600);
    const nowhere = await root.run(['stack', 'list', '--out', 'no/such/place']);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('Cannot write no/such/place'),
    ]);
  });

  it('errors have an exit code and are printed to standard error only', async () => {
    const unknown = await root.run(['stack', 'describe', 'mo-none']);
    expect(unknown).toMatchObject({ code: 6, stdout: '' });
    expect(unknown.stderr).toMatch(
      /^\[alm\]: error: \[404 Not Found\] Stack mo-none does not exist\n {2}request id: /,
    );
    const rejected = await root.run(['stack', 'list', '--token', 'nonsense']);
    expect(rejected).toMatchObject({ code: 4, stdout: '' });
    expect(rejected.stderr).toContain('→ Sign in: alm login');
    const unreachable = await root.run(['stack', 'list', '--url', 'http://127.0.0.1:9']);
    expect(unreachable).toMatchObject({ code: 8, stdout: '' });
    expect(unreachable.stderr).toContain('Connection to http://127.0.0.1:9 failed: connection refused.');
    const typo = await root.run(['stak', 'list']);
    expect(typo).toMatchObject({ code: 2, stdout: '' });
    expect(typo.stderr).toContain('Did you mean: alm stack');
  });

  it('--verbose prints every request without the token', async () => {
    const { code, stderr } = await root.run(['stack', 'list', '--verbose']);
    expect(code).toBe(0);
    expect(stderr).toContain('[METHOD] GET');
    expect(stderr).toContain('[STATUS] 200 OK');
    expect(stderr).toMatch(/Elapsed time: \d+ms/);
    expect(stderr).not.toContain(root.environment.ALM_TOKEN);
    const debug = await root.run(['stack', 'describe', 'mo-none', '--debug']);
    expect(debug.stderr).toMatch(/\n {2}ApiError: .*\n? *at /);
  });
});

describe('the program', () => {
  it('the server offers the program as a single file without dependencies', async () => {
    const { status, text } = await served.server.call('GET', '/cli/alm');
    expect(status).toBe(200);
    const alone = join(root.home, 'alm');
    writeFileSync(alone, text, { mode: 0o755 });
    const run = (...args: string[]) => execFileSync(alone, args, { env: root.environment, encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(run('version')).toBe(`${version}\n`);
    expect(run('stack', 'list')).toMatch(/^STACK ID/);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlmanacProcess, knownLogin } from '../../e2e/almanac-process.ts';
import { eventually } from '../../http.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { startAlm } from '../rough/run.ts';

let place: TestPlace;
let server: AlmanacProcess;
let root: AlmUser;
beforeAll(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_SANDBOX_SPEED: '0.2' });
  root = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: await server.userToken() });
  const { configurations, ...rest } = oneServer(1);
  const container = { container_image: 'httpd:2.4' };
  const layers = [{ ...configurations[0], container }];
  writeFileSync(join(root.home, 'one.json'), JSON.stringify({ ...rest, configurations: layers }));
});
afterAll(async () => {
  await server.kill('SIGKILL');
  root.close();
  await place.remove();
});

interface Stack {
  stack_id: string;
  stack_status: string;
  instances: unknown[];
}
/** Fails if standard output is not exactly one document. */
const oneDocument = (stdout: string): Stack => JSON.parse(stdout) as Stack;
const created = async (): Promise<string> =>
  (await root.json<Stack>(['stack', 'create', 'one.json', '--wait'])).stack_id;

describe('a command with --wait writes exactly one document: the stack at the end', () => {
  it.each<string[]>([[], ['--fmt', 'json'], ['--fmt', 'raw'], ['--fmt', 'min'], ['--out', 'made.json']])(
    'with the flags %s %s',
    async (...flags) => {
      const { code, stdout } = await root.run(['stack', 'create', 'one.json', '--wait', ...flags]);
      expect(code).toBe(0);
      const isFile = flags.includes('--out');
      const text = isFile ? readFileSync(join(root.home, 'made.json'), 'utf8') : stdout;
      if (isFile) expect(stdout).toBe('');
      const stack = oneDocument(text);
      expect(stack.stack_status).toBe('CREATE_COMPLETE');
      expect(stack.instances).toHaveLength(1);
    },
  );

  it('of an update, a deployment, a restart, a rollback and a deletion', async () => {
    const id = await created();
    const { version_id: version } = await root.json<{ version_id: string }>([
      'stack',
      'describe',
      id,
      '--fmt',
      'json',
    ]);
    const update = ['stack', 'update', id, 'one.json', '--wait', '--query', 'stack_status'];
    expect(await root.run(update)).toMatchObject({ code: 0, stdout: 'UPDATE_COMPLETE\n' });
    for (const args of [
      ['deploy', id, '--image', 'httpd:2.5'],
      ['restart', id],
      ['stack', 'rollback', id, '--ver', version, '--wait'],
    ]) {
      const { code, stdout } = await root.run(args);
      expect([args, code]).toEqual([args, 0]);
      expect(oneDocument(stdout)).toMatchObject({ stack_id: id, stack_status: 'UPDATE_COMPLETE' });
    }
    const { stdout } = await root.run(['stack', 'delete', id, '--yes', '--wait']);
    expect(oneDocument(stdout)).toMatchObject({ stack_id: id, stack_status: 'DELETE_COMPLETE' });
  });

  it('of an operation that fails, with exit code 3', async () => {
    await server.call('POST', '/v3/sandbox/fault', { json: { kind: 'fail_resource', position: 2 } });
    const { code, stdout } = await root.run(['stack', 'create', 'one.json', '--wait']);
    expect([code, oneDocument(stdout).stack_status]).toEqual([3, 'CREATE_FAILED']);
  });

  it('of a v2 stack', async () => {
    const flags = ['--arch', 'art_single', '--type', 't2.micro', '--cred', 'SANDBOX', '--vendor', 'sandbox'];
    const made = await root.run(['stack', 'create', '--apiver', 'v2', ...flags, '--wait']);
    expect(oneDocument(made.stdout)).toMatchObject({ stack_status: 'CREATE_COMPLETE' });
  });

  it('after Ctrl-C too: the stack as it is, with exit code 130', async () => {
    const alm = startAlm(root, ['stack', 'create', 'one.json', '--wait'], { seconds: 30 });
    await eventually(
      async () => alm.stderr(),
      (seen) => seen.includes('VPC'),
    );
    alm.child.kill('SIGINT');
    const { code, stdout } = await alm.ended;
    expect(code).toBe(130);
    expect(oneDocument(stdout)).toMatchObject({
      stack_status: 'CREATE_IN_PROGRESS',
      instances: expect.any(Array),
    });
  });
});

describe('without --wait, or on a terminal', () => {
  it('a command without --wait prints the response of the service', async () => {
    const { stdout } = await root.run(['stack', 'create', 'one.json']);
    expect(JSON.parse(stdout)).toEqual({
      status: 'success',
      stack_status: 'CREATE_IN_PROGRESS',
      stack_id: expect.any(String),
      version_id: expect.any(String),
    });
  });

  it('a terminal shows no document unless a format is named, and no colours if NO_COLOR is set', async () => {
    const session = new PtySession(root, ['stack', 'create', 'one.json', '--wait'], { NO_COLOR: '1' });
    expect(await session.ended(30)).toBe(0);
    expect(session.seen).not.toContain('"stack_id"');
    expect(session.seen).toContain('is up after');
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    expect(session.seen).not.toMatch(/\u001B\[\d+m/);
  });
});

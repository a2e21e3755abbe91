import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser, firstStack } from '../alm.ts';
import { FakeServer, sendJson } from './fake-server.ts';
import { runBriefly } from './run.ts';

/** A fake server: every change succeeds at once. */
let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  server = await FakeServer.start(({ method }, response) =>
    method === 'GET'
      ? sendJson(response, 200, [])
      : sendJson(response, 200, { status: 'success', stack_id: 'mo-1', version_id: '1', role_id: 'role-1' }),
  );
  user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'a-token' });
});
afterEach(() => void server.requests.splice(0));
afterAll(() => {
  server.close();
  user.close();
});

const run = (...args: string[]) => runBriefly(user, args);

const rejectedLocally = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout, server.calls]).toEqual([2, '', []]);
  return stderr;
};

describe('the command line', () => {
  it('--version prints the version', async () => {
    const word = await run('version');
    expect(word).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/), stderr: '' });
    expect(await run('--version')).toEqual(word);
  });

  it.each(['--verison', '-x', '--x=1'])('rejects the unknown flag %s', async (word) => {
    expect(await rejectedLocally(word)).toContain(`Unknown flag ${word.replace(/=.*/, '')} for`);
  });

  it.each(['stack list -hf json', 'stack list -h', '-h stack list', 'help stack list'])(
    'shows the help: %s',
    async (line) => {
      const { code, stdout, stderr } = await run(...line.split(' '));
      expect([code, stderr, server.calls]).toEqual([0, '', []]);
      expect(stdout).toContain('List the stacks');
      expect(stdout).toContain('alm stack list');
    },
  );

  it('help rejects unknown commands and extra arguments', async () => {
    expect(await rejectedLocally('help', 'stack', 'create', 'extra')).toContain('extra');
    expect(await rejectedLocally('help', 'stack', 'nonsense')).toContain('nonsense');
    expect(await rejectedLocally('help', 'version', 'extra')).toContain('extra');
    expect((await run('help', 'stack', 'create')).code).toBe(0);
  });
});

describe('switches', () => {
  it.each([
    '--verbose',
    '--verbose true',
    '--verbose=true',
    '--verbose=TRUE',
    '--verbose True',
    '--verbose=1',
    '--verbose=on',
    '--verbose=yes',
  ])('turns a switch on: %s', async (written) => {
    const { code, stderr } = await run('stack', 'list', ...written.split(' '));
    expect(code).toBe(0);
    expect(stderr).toContain('[METHOD] GET');
  });

  it.each([
    '--verbose false',
    '--verbose=FALSE',
    '--verbose=0',
    '--verbose=off',
    '--verbose=no',
    '--verbose off',
  ])('turns a switch off: %s', async (written) => {
    const { code, stderr } = await run('stack', 'list', ...written.split(' '));
    expect([code, stderr]).toEqual([0, '']);
  });

  it('rejects other values of a switch', async () => {
    expect(await rejectedLocally('stack', 'list', '--verbose=maybe')).toContain('maybe');
    expect(await rejectedLocally('stack', 'list', '--verbose=')).toContain('--verbose');
  });

  it('accepts a switch before the command', async () => {
    const { code, stderr } = await run('--verbose', 'true', 'stack', 'list');
    expect(code).toBe(0);
    expect(stderr).toContain('[METHOD] GET');
  });

  it('a word after a switch that is not a switch value is an argument', async () => {
    expect((await run('stack', 'delete', '--verbose', 'mo-1')).code).toBe(0);
    expect(server.calls).toEqual(['DELETE /v3/alm/stack/mo-1']);
  });

  it('--wait false does not wait', async () => {
    expect((await run('stack', 'delete', 'mo-1', '--wait', 'false')).code).toBe(0);
    expect((await run('stack', 'create', '--wait', 'false', '--alm-template', firstStack)).code).toBe(0);
    expect(server.calls).toEqual(['DELETE /v3/alm/stack/mo-1', 'POST /v3/alm/template?another=false']);
  });

  it('--allow-all grants all permissions only when it is on', async () => {
    expect((await run('rbac', 'create', '--name', 'all', '--allow-all', 'true')).code).toBe(0);
    expect(server.calls).toEqual(['POST /v3/role']);
    const scope = new URLSearchParams(server.requests[0]?.body).get('scope');
    expect(scope).toContain('"Action":["*"]');
    server.requests.splice(0);
    expect(await rejectedLocally('rbac', 'create', '--name', 'all', '--allow-all', 'false')).toContain(
      '--scope',
    );
  });
});

describe('incompatible flags', () => {
  it('rejects incompatible flags without a request', async () => {
    const bounds = ['--apiver', 'v2', '--id', 'mo-1', '--min', '3', '--max', '2'];
    expect(await rejectedLocally('stack', 'update', ...bounds)).toContain('--min 3 is greater than --max 2');
    const both = await rejectedLocally('template', 'apply', firstStack, '--id', 'mo-1', '--nickname', 'n');
    expect(both).toContain('--nickname');
  });

  it('accepts each of the incompatible flags alone', async () => {
    expect((await run('template', 'apply', firstStack, '--id', 'mo-1')).code).toBe(0);
    expect((await run('template', 'apply', firstStack, '--nickname', 'n')).code).toBe(0);
    const update = ['stack', 'update', '--apiver', 'v2', '--id', 'mo-1'];
    expect((await run(...update, '--min', '3')).code).toBe(0);
    expect((await run(...update, '--min', '2', '--max', '2')).code).toBe(0);
    expect(server.calls).toEqual([
      'PUT /v3/alm/template/mo-1',
      'POST /v3/alm/template?another=false&nickname=n',
      'PUT /v2/alm/stack/mo-1',
      'PUT /v2/alm/stack/mo-1',
    ]);
  });
});

describe('credentials in the environment', () => {
  const client = { ALM_TOKEN: '', ALM_CLIENT_ID: 'lg-1', ALM_CLIENT_SECRET: 'the-secret' };

  it('rejects a user name without a password', async () => {
    for (const env of [
      { ...client, ALM_USERNAME: 'ann' },
      { ...client, ALM_USERNAME: 'ann', ALM_PASSWORD: '' },
    ]) {
      const { code, stdout, stderr } = await runBriefly(user, ['stack', 'list'], { env });
      expect([2, 4]).toContain(code);
      expect(stdout).toBe('');
      expect(stderr).toContain('ALM_USERNAME is set, but ALM_PASSWORD is not.');
      expect(server.calls).toEqual([]);
    }
  });

  it.each([
    [{ ALM_USERNAME: 'ann' }, 'ALM_USERNAME is set, but ALM_PASSWORD is not.'],
    [{ ALM_PASSWORD: 'x' }, 'ALM_PASSWORD is set, but ALM_USERNAME is not.'],
    [{ ALM_CLIENT_ID: 'lg-1' }, 'ALM_CLIENT_ID is set, but ALM_CLIENT_SECRET is not.'],
    [{ ALM_CLIENT_SECRET: 'x' }, 'ALM_CLIENT_SECRET is set, but ALM_CLIENT_ID is not.'],
  ])('an incomplete set says which variable is missing: %o', async (env, message) => {
    const { code, stderr } = await runBriefly(user, ['stack', 'list'], { env: { ALM_TOKEN: '', ...env } });
    expect(code).toBe(4);
    expect(stderr).toContain(message);
    expect(server.calls).toEqual([]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser, firstStack } from '../alm.ts';
import { runBriefly } from './run.ts';
import { Stranger, sendJson } from './stranger.ts';

/** Our own stand-in: whatever is made is made at once. */
let stranger: Stranger;
let user: AlmUser;
beforeAll(async () => {
  stranger = await Stranger.start(({ method }, response) =>
    method === 'GET'
      ? sendJson(response, 200, [])
      : sendJson(response, 200, { status: 'success', stack_id: 'mo-1', version_id: '1', role_id: 'role-1' }),
  );
  user = new AlmUser({ ALM_URL: stranger.url, ALM_TOKEN: 'a-token' });
});
afterEach(() => void stranger.asked.splice(0));
afterAll(() => {
  stranger.close();
  user.close();
});

const run = (...args: string[]) => runBriefly(user, args);

const refusedUnsent = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout, stranger.calls]).toEqual([2, '', []]);
  return stderr;
};

describe('words before and beside the commands', () => {
  it('--version is the version', async () => {
    const word = await run('version');
    expect(word).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/), stderr: '' });
    expect(await run('--version')).toEqual(word);
  });

  it.each(['--verison', '-x', '--x=1'])('%s is unknown', async (word) => {
    expect(await refusedUnsent(word)).toContain(`${word.replace(/=.*/, '')} is not a flag`);
  });

  it.each(['stack list -hf json', 'stack list -h', '-h stack list', 'help stack list'])(
    'help is shown: %s',
    async (line) => {
      const { code, stdout, stderr } = await run(...line.split(' '));
      expect([code, stderr, stranger.calls]).toEqual([0, '', []]);
      expect(stdout).toContain('List the stacks');
      expect(stdout).toContain('alm stack list');
    },
  );

  it('help of more words than there are says so', async () => {
    expect(await refusedUnsent('help', 'stack', 'create', 'extra')).toContain('extra');
    expect(await refusedUnsent('help', 'stack', 'nonsense')).toContain('nonsense');
    expect(await refusedUnsent('help', 'version', 'extra')).toContain('extra');
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
  ])('are on: %s', async (written) => {
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
  ])('are off: %s', async (written) => {
    const { code, stderr } = await run('stack', 'list', ...written.split(' '));
    expect([code, stderr]).toEqual([0, '']);
  });

  it('are neither with other words', async () => {
    expect(await refusedUnsent('stack', 'list', '--verbose=maybe')).toContain('maybe');
    expect(await refusedUnsent('stack', 'list', '--verbose=')).toContain('--verbose');
  });

  it('may stand before the words of the command', async () => {
    const { code, stderr } = await run('--verbose', 'true', 'stack', 'list');
    expect(code).toBe(0);
    expect(stderr).toContain('[METHOD] GET');
  });

  it('do not take what is no word of theirs', async () => {
    expect((await run('stack', 'delete', '--verbose', 'mo-1')).code).toBe(0);
    expect(stranger.calls).toEqual(['DELETE /v3/alm/stack/mo-1']);
  });

  it('that are off do not wait', async () => {
    expect((await run('stack', 'delete', 'mo-1', '--wait', 'false')).code).toBe(0);
    expect((await run('stack', 'create', '--wait', 'false', '--alm-template', firstStack)).code).toBe(0);
    expect(stranger.calls).toEqual(['DELETE /v3/alm/stack/mo-1', 'POST /v3/alm/template']);
  });

  it('that allow everything do so, and only when they are on', async () => {
    expect((await run('rbac', 'create', '--name', 'all', '--allow-all', 'true')).code).toBe(0);
    expect(stranger.calls).toEqual(['POST /v3/role']);
    expect(stranger.asked[0]?.body).toContain(String.raw`\"Action\":[\"*\"]`);
    stranger.asked.splice(0);
    expect(await refusedUnsent('rbac', 'create', '--name', 'all', '--allow-all', 'false')).toContain(
      '--scope',
    );
  });
});

describe('flags that do not go together', () => {
  it('are refused before anything is sent', async () => {
    const bounds = ['--apiver', 'v2', '--id', 'mo-1', '--min', '3', '--max', '2'];
    expect(await refusedUnsent('stack', 'update', ...bounds)).toContain('--min 3 is more than --max 2');
    const both = await refusedUnsent('template', 'apply', firstStack, '--id', 'mo-1', '--nickname', 'n');
    expect(both).toContain('--nickname');
  });

  it('go one without the other', async () => {
    expect((await run('template', 'apply', firstStack, '--id', 'mo-1')).code).toBe(0);
    expect((await run('template', 'apply', firstStack, '--nickname', 'n')).code).toBe(0);
    const update = ['stack', 'update', '--apiver', 'v2', '--id', 'mo-1'];
    expect((await run(...update, '--min', '3')).code).toBe(0);
    expect((await run(...update, '--min', '2', '--max', '2')).code).toBe(0);
    expect(stranger.calls).toEqual([
      'PUT /v3/alm/template/mo-1',
      'POST /v3/alm/template?nickname=n',
      'PUT /v2/alm/stack/mo-1',
      'PUT /v2/alm/stack/mo-1',
    ]);
  });
});

describe('credentials in the environment', () => {
  const client = { ALM_TOKEN: '', ALM_CLIENT_ID: 'lg-1', ALM_CLIENT_SECRET: 'the-secret' };

  it('with a user but without a password are not half of a sign-in', async () => {
    for (const env of [
      { ...client, ALM_USERNAME: 'ann' },
      { ...client, ALM_USERNAME: 'ann', ALM_PASSWORD: '' },
    ]) {
      const { code, stdout, stderr } = await runBriefly(user, ['stack', 'list'], { env });
      expect([2, 4]).toContain(code);
      expect(stdout).toBe('');
      expect(stderr).toContain('ALM_USERNAME is set, but ALM_PASSWORD is not.');
      expect(stranger.calls).toEqual([]);
    }
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, realClock, VirtualClock } from '../../../src/basics/clock.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import { detectStore, findStore } from '../../../src/cli/stores/find-store.ts';
import type { StoredLogin } from '../../../src/cli/stores/store.ts';
import type { System } from '../../../src/cli/system.ts';
import { eventually } from '../../http.ts';
import { calledWith, FakePrograms, initPass } from './fake-programs.ts';

const login: StoredLogin = {
  token: 'alm_the-token',
  expires: '2030-01-01T00:00:00.000Z',
  url: 'https://almanac.example.com',
  signIn: { clientId: 'lg-1', clientSecret: 'se|cret "q"', username: 'root', password: 'pässwörd 語 $(x)' },
};
const secrets = [login.token, 'se|cret', 'pässwörd', Buffer.from(JSON.stringify(login)).toString('base64')];

let fakePrograms: FakePrograms;
let home: string;
beforeAll(() => (fakePrograms = new FakePrograms()));
afterAll(() => fakePrograms.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'alm-stores-'));
  return () => rmSync(home, { recursive: true, force: true });
});

interface Machine {
  env?: Record<string, string>;
  platform?: NodeJS.Platform;
  clock?: Clock;
}

let stderr = '';
function machine({ env, platform = 'linux', clock = realClock }: Machine = {}): System {
  stderr = '';
  const stream = { write: (text: string) => (stderr += text) };
  return {
    argv: [],
    env: { HOME: home, PATH: fakePrograms.path, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', ...env },
    home,
    platform,
    clock,
    stdin: { isTTY: false } as NodeJS.ReadStream,
    stdout: stream as unknown as NodeJS.WriteStream,
    stderr: stream as unknown as NodeJS.WriteStream,
    write: (data) => (stderr += String(data)),
    stdoutIsTty: false,
    onInterrupt: () => () => {},
  };
}

async function errorOf(promise: Promise<unknown>): Promise<CliError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CliError);
  return error as CliError;
}

async function expectStoresAndDeletes(system: System): Promise<void> {
  const store = await findStore(system);
  if (!store) throw new Error('No store found');
  expect(await store.read('default')).toBeNull();
  await store.write('default', login);
  await store.write('work', { ...login, token: 'another' });
  expect(await store.read('default')).toEqual(login);
  await store.write('default', { ...login, token: 'renewed' });
  expect(await store.read('default')).toEqual({ ...login, token: 'renewed' });
  await store.delete('default');
  await store.delete('default');
  expect(await store.read('default')).toBeNull();
  expect((await store.read('work'))?.token).toBe('another');
}

describe('each kind of store (fake program)', () => {
  it.each(['pass', 'secret-service', 'keychain', 'wincred'])(
    '%s stores, returns and deletes a login, and no secret is in an argument',
    async (name) => {
      initPass(home);
      await expectStoresAndDeletes(machine({ env: { ALM_CREDENTIAL_STORE: name } }));
      expect(calledWith(home)).not.toBe('');
      for (const secret of secrets) expect(calledWith(home)).not.toContain(secret);
    },
  );

  it('ignores an entry of another program', async () => {
    initPass(home);
    const system = machine({ env: { ALM_CREDENTIAL_STORE: 'pass' } });
    const env = { HOME: home, PATH: fakePrograms.path };
    execFileSync('pass', ['insert', 'alm/default'], { input: '{"token": 5}', env });
    expect(await (await findStore(system))?.read('default')).toBeNull();
  });

  it('a store that does not return what was written is an error, and leaves no entry', async () => {
    initPass(home);
    const lossyPrograms = new FakePrograms(['gpg']);
    lossyPrograms.replace(
      'pass',
      `case "$1" in insert) mkdir -p ~/.password-store/alm; cat > ~/.password-store/$4.gpg;; show) echo no;; rm) rm ~/.password-store/$3.gpg;; esac`,
    );
    const store = await findStore(
      machine({ env: { ALM_CREDENTIAL_STORE: 'pass', PATH: lossyPrograms.path } }),
    );
    expect((await errorOf(store!.write('default', login))).message).toContain('cannot be read back');
    expect(readdirSync(join(home, '.password-store/alm'))).toEqual([]);
    lossyPrograms.close();
  });
});

describe('which store is used (fake programs)', () => {
  it.each<[NodeJS.Platform, string]>([
    ['linux', 'the Secret Service'],
    ['freebsd', 'the Secret Service'],
    ['darwin', 'the keychain'],
    ['win32', 'the credential manager'],
  ])('the store on %s is %s', async (platform, name) => {
    expect((await findStore(machine({ platform })))?.name).toBe(name);
  });

  it('the store is pass without a D-Bus session', async () => {
    initPass(home);
    expect((await findStore(machine({ env: { DBUS_SESSION_BUS_ADDRESS: '' } })))?.name).toBe('pass');
  });

  it('there is no store if it is disabled or none works, and the reasons are known', async () => {
    expect(await findStore(machine({ env: { ALM_CREDENTIAL_STORE: 'none' } }))).toBeNull();
    const found = await detectStore(machine({ env: { DBUS_SESSION_BUS_ADDRESS: '' } }));
    expect(found.store).toBeNull();
    expect(found.unusable).toEqual([
      expect.stringContaining('no D-Bus session'),
      expect.stringContaining('pass init'),
    ]);
    expect(await detectStore(machine({ env: { PATH: '/nowhere' } }))).toMatchObject({
      store: null,
      unusable: [],
    });
  });

  it('a named store that does not work is an error', async () => {
    const messageFor = async (name: string, env = {}) =>
      (await errorOf(findStore(machine({ env: { ALM_CREDENTIAL_STORE: name, ...env } })))).message;
    expect(await messageFor('pass')).toContain('pass init');
    expect(await messageFor('keychain', { PATH: '/nowhere' })).toContain('program security not found');
    expect(await messageFor('secret-service', { DBUS_SESSION_BUS_ADDRESS: '' })).toContain(
      'no D-Bus session',
    );
    const error = await errorOf(findStore(machine({ env: { ALM_CREDENTIAL_STORE: 'drawer' } })));
    expect(error).toMatchObject({
      exitReason: 'usage',
      hints: [expect.stringContaining('secret-service')],
    });
  });
});

describe('a store that does not respond (fake program)', () => {
  let hangingPrograms: FakePrograms;
  beforeAll(() => {
    hangingPrograms = new FakePrograms(['pass', 'gpg']);
    hangingPrograms.replace('secret-tool', 'sleep 600 & echo $! > "$HOME/pid"; wait');
  });
  afterAll(() => hangingPrograms.close());

  it('a store that does not respond is skipped after a timeout, and its process is killed', async () => {
    const clock = new VirtualClock();
    let found: Awaited<ReturnType<typeof detectStore>> | undefined;
    void detectStore(machine({ clock, env: { PATH: hangingPrograms.path } })).then((each) => (found = each));
    await eventually(
      async () => existsSync(join(home, 'pid')) && readFileSync(join(home, 'pid'), 'utf8') !== '',
      (isThere) => isThere,
    );
    expect(found).toBeUndefined();
    clock.advance(7000);
    await eventually(
      async () => found,
      (each) => each !== undefined,
    );
    expect(found?.unusable[0]).toContain('Timeout: no response from the Secret Service within 6 s');
    // A killed process may stay listed until its parent collects it, but without a command line.
    const commandLine = `/proc/${readFileSync(join(home, 'pid'), 'utf8').trim()}/cmdline`;
    await eventually(
      async () => (existsSync(commandLine) ? readFileSync(commandLine, 'utf8') : ''),
      (running) => running === '',
    );
  });
});

describe('a locked store (fake program)', () => {
  let lockedPrograms: FakePrograms;
  beforeAll(() => {
    lockedPrograms = new FakePrograms();
    lockedPrograms.replace('secret-tool', 'case "$1" in lookup|clear) exit 1;; search) echo "[/1]";; esac');
  });
  afterAll(() => lockedPrograms.close());

  it('a locked store is skipped with a warning if it was not named', async () => {
    const store = await findStore(machine({ env: { PATH: lockedPrograms.path } }));
    expect(await store?.read('default')).toBeNull();
    expect(stderr).toContain('warning: Reading from the Secret Service failed: it is locked.');
  });

  it('a locked store is an error if it was named, and for every deletion', async () => {
    const named = await findStore(
      machine({ env: { PATH: lockedPrograms.path, ALM_CREDENTIAL_STORE: 'secret-service' } }),
    );
    expect((await errorOf(named!.read('default'))).message).toContain('locked');
    const unnamed = await findStore(machine({ env: { PATH: lockedPrograms.path } }));
    expect((await errorOf(unnamed!.delete('default'))).message).toContain('locked');
  });
});

const hasPass = ['pass', 'gpg'].every((program) => spawnSync(program, ['--version']).status === 0);

describe.runIf(hasPass)('the real pass with a real GnuPG key', () => {
  const key = (env: Record<string, string>, passphrase: string): void => {
    const quiet = ['--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', passphrase];
    const options = { env, stdio: 'ignore' as const };
    execFileSync(
      'gpg',
      [...quiet, '--quick-gen-key', 'alm@example.com', 'default', 'default', 'never'],
      options,
    );
    execFileSync('pass', ['init', 'alm@example.com'], options);
    execFileSync('gpgconf', ['--kill', 'all'], options);
  };
  /** A short path: it contains sockets, whose paths have a maximum length. */
  let env: Record<string, string>;
  beforeEach(() => {
    const GNUPGHOME = mkdtempSync(join(tmpdir(), 'gpg-'));
    env = { HOME: home, PATH: process.env.PATH ?? '', GNUPGHOME, ALM_CREDENTIAL_STORE: 'pass' };
    return () => {
      spawnSync('gpgconf', ['--kill', 'all'], { env });
      rmSync(GNUPGHOME, { recursive: true, force: true });
    };
  });

  it('the real pass stores, returns and deletes a login', async () => {
    key(env, '');
    await expectStoresAndDeletes(machine({ env }));
  });

  it('a locked key without a user fails at once', async () => {
    key(env, 'a passphrase');
    const store = await findStore(machine({ env }));
    expect((await errorOf(store!.write('default', login))).message).toContain('Reading from pass failed');
    expect(existsSync(join(home, '.password-store/alm/default.gpg'))).toBe(false);
  });

  it('pass cannot be used without its key', async () => {
    initPass(home, 'nobody@example.com');
    expect((await errorOf(findStore(machine({ env })))).message).toContain(
      'no secret key for nobody@example.com',
    );
  });
});

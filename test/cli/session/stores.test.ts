import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, realClock, VirtualClock } from '../../../src/basics/clock.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import { findStore, detectStore } from '../../../src/cli/stores/find-store.ts';
import type { StoredLogin } from '../../../src/cli/stores/store.ts';
import type { System } from '../../../src/cli/system.ts';
import { eventually } from '../../http.ts';
import { calledWith, initPass, StandIns } from './store-stand-ins.ts';

const kept: StoredLogin = {
  token: 'alm_the-token',
  expires: '2030-01-01T00:00:00.000Z',
  url: 'https://almanac.example.com',
  signIn: { clientId: 'lg-1', clientSecret: 'se|cret "q"', username: 'root', password: 'pässwörd 語 $(x)' },
};
const secrets = [kept.token, 'se|cret', 'pässwörd', Buffer.from(JSON.stringify(kept)).toString('base64')];

let standIns: StandIns;
let home: string;
beforeAll(() => (standIns = new StandIns()));
afterAll(() => standIns.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'alm-stores-'));
  return () => rmSync(home, { recursive: true, force: true });
});

interface Machine {
  env?: Record<string, string>;
  platform?: NodeJS.Platform;
  clock?: Clock;
}

let said = '';
function machine({ env, platform = 'linux', clock = realClock }: Machine = {}): System {
  said = '';
  const stream = { write: (text: string) => (said += text) };
  return {
    argv: [],
    env: { HOME: home, PATH: standIns.path, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', ...env },
    home,
    platform,
    clock,
    stdin: { isTTY: false } as NodeJS.ReadStream,
    stdout: stream as unknown as NodeJS.WriteStream,
    stderr: stream as unknown as NodeJS.WriteStream,
    write: (data) => (said += String(data)),
    stdoutIsTty: false,
    onInterrupt: () => () => {},
  };
}

async function troubleOf(promise: Promise<unknown>): Promise<CliError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CliError);
  return error as CliError;
}

async function keepsAndForgets(system: System): Promise<void> {
  const store = await findStore(system);
  if (!store) throw new Error('There is no store');
  expect(await store.read('default')).toBeNull();
  await store.write('default', kept);
  await store.write('work', { ...kept, token: 'another' });
  expect(await store.read('default')).toEqual(kept);
  await store.write('default', { ...kept, token: 'renewed' });
  expect(await store.read('default')).toEqual({ ...kept, token: 'renewed' });
  await store.delete('default');
  await store.delete('default');
  expect(await store.read('default')).toBeNull();
  expect((await store.read('work'))?.token).toBe('another');
}

describe('each kind of store, with a stand-in of ours for its program', () => {
  it.each(['pass', 'secret-service', 'keychain', 'wincred'])(
    '%s keeps, gives back and forgets, and no secret is in an argument',
    async (word) => {
      initPass(home);
      await keepsAndForgets(machine({ env: { ALM_CREDENTIAL_STORE: word } }));
      expect(calledWith(home)).not.toBe('');
      for (const secret of secrets) expect(calledWith(home)).not.toContain(secret);
    },
  );

  it('takes what somebody else wrote there as nothing', async () => {
    initPass(home);
    const system = machine({ env: { ALM_CREDENTIAL_STORE: 'pass' } });
    const env = { HOME: home, PATH: standIns.path };
    execFileSync('pass', ['insert', 'alm/default'], { input: '{"token": 5}', env });
    expect(await (await findStore(system))?.read('default')).toBeNull();
  });

  it('takes a store that does not give back what it was given as a failure, and leaves nothing there', async () => {
    initPass(home);
    const forgetful = new StandIns(['gpg']);
    forgetful.replace(
      'pass',
      `case "$1" in insert) mkdir -p ~/.password-store/alm; cat > ~/.password-store/$4.gpg;; show) echo no;; rm) rm ~/.password-store/$3.gpg;; esac`,
    );
    const store = await findStore(machine({ env: { ALM_CREDENTIAL_STORE: 'pass', PATH: forgetful.path } }));
    expect((await troubleOf(store!.write('default', kept))).message).toContain('does not come back');
    expect(readdirSync(join(home, '.password-store/alm'))).toEqual([]);
    forgetful.close();
  });
});

describe('which store is used, with stand-ins of ours', () => {
  it.each<[NodeJS.Platform, string]>([
    ['linux', 'the Secret Service'],
    ['freebsd', 'the Secret Service'],
    ['darwin', 'the keychain'],
    ['win32', 'the credential manager'],
  ])('on %s it is %s', async (platform, name) => {
    expect((await findStore(machine({ platform })))?.name).toBe(name);
  });

  it('is pass where the session has no message bus', async () => {
    initPass(home);
    expect((await findStore(machine({ env: { DBUS_SESSION_BUS_ADDRESS: '' } })))?.name).toBe('pass');
  });

  it('is none when that is said, or where nothing works, and then it is known why', async () => {
    expect(await findStore(machine({ env: { ALM_CREDENTIAL_STORE: 'none' } }))).toBeNull();
    const found = await detectStore(machine({ env: { DBUS_SESSION_BUS_ADDRESS: '' } }));
    expect(found.store).toBeNull();
    expect(found.unusable).toEqual([
      expect.stringContaining('no message bus'),
      expect.stringContaining('pass init'),
    ]);
    expect(await detectStore(machine({ env: { PATH: '/nowhere' } }))).toMatchObject({
      store: null,
      unusable: [],
    });
  });

  it('is an error when it was named and does not work', async () => {
    const why = async (word: string, env = {}) =>
      (await troubleOf(findStore(machine({ env: { ALM_CREDENTIAL_STORE: word, ...env } })))).message;
    expect(await why('pass')).toContain('pass init');
    expect(await why('keychain', { PATH: '/nowhere' })).toContain('no program security');
    expect(await why('secret-service', { DBUS_SESSION_BUS_ADDRESS: '' })).toContain('no message bus');
    const trouble = await troubleOf(findStore(machine({ env: { ALM_CREDENTIAL_STORE: 'drawer' } })));
    expect(trouble).toMatchObject({ exitReason: 'usage', hints: [expect.stringContaining('secret-service')] });
  });
});

describe('a store that does not answer, with a stand-in of ours', () => {
  let hanging: StandIns;
  beforeAll(() => {
    hanging = new StandIns(['pass', 'gpg']);
    hanging.replace('secret-tool', 'sleep 600 & echo $! > "$HOME/pid"; wait');
  });
  afterAll(() => hanging.close());

  it('counts as none after a few seconds, and does not stay behind', async () => {
    const clock = new VirtualClock();
    let found: Awaited<ReturnType<typeof detectStore>> | undefined;
    void detectStore(machine({ clock, env: { PATH: hanging.path } })).then((each) => (found = each));
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
    expect(found?.unusable[0]).toContain('No answer came from the Secret Service within 6 s');
    // What has ended may stay listed until somebody asks for it, but without its words.
    const words = `/proc/${readFileSync(join(home, 'pid'), 'utf8').trim()}/cmdline`;
    await eventually(
      async () => (existsSync(words) ? readFileSync(words, 'utf8') : ''),
      (running) => running === '',
    );
  });
});

describe('a store that is locked, with a stand-in of ours', () => {
  let locked: StandIns;
  beforeAll(() => {
    locked = new StandIns();
    locked.replace('secret-tool', 'case "$1" in lookup|clear) exit 1;; search) echo "[/1]";; esac');
  });
  afterAll(() => locked.close());

  it('keeps nothing for those who did not name it, and they are told', async () => {
    const store = await findStore(machine({ env: { PATH: locked.path } }));
    expect(await store?.read('default')).toBeNull();
    expect(said).toContain('warning: Reading from the Secret Service failed: it is locked.');
  });

  it('is an error for those who did, and whenever something should be deleted', async () => {
    const named = await findStore(
      machine({ env: { PATH: locked.path, ALM_CREDENTIAL_STORE: 'secret-service' } }),
    );
    expect((await troubleOf(named!.read('default'))).message).toContain('locked');
    const unnamed = await findStore(machine({ env: { PATH: locked.path } }));
    expect((await troubleOf(unnamed!.delete('default'))).message).toContain('locked');
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
  /** Short: sockets live there, and their paths may not be long. */
  let env: Record<string, string>;
  beforeEach(() => {
    const GNUPGHOME = mkdtempSync(join(tmpdir(), 'gpg-'));
    env = { HOME: home, PATH: process.env.PATH ?? '', GNUPGHOME, ALM_CREDENTIAL_STORE: 'pass' };
    return () => {
      spawnSync('gpgconf', ['--kill', 'all'], { env });
      rmSync(GNUPGHOME, { recursive: true, force: true });
    };
  });

  it('keeps, gives back and forgets', async () => {
    key(env, '');
    await keepsAndForgets(machine({ env }));
  });

  it('is a quick error when its key is locked and nobody is there to unlock it', async () => {
    key(env, 'a passphrase');
    const store = await findStore(machine({ env }));
    expect((await troubleOf(store!.write('default', kept))).message).toContain('Reading from pass failed');
    expect(existsSync(join(home, '.password-store/alm/default.gpg'))).toBe(false);
  });

  it('cannot be used without its key', async () => {
    initPass(home, 'nobody@example.com');
    expect((await troubleOf(findStore(machine({ env })))).message).toContain(
      'no secret key nobody@example.com',
    );
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { detectStore, findStore } from '../../../src/cli/stores/find-store.ts';
import { eventually } from '../../http.ts';
import { errorOf, expectStoresAndDeletes, FakeMachine, login } from './fake-machine.ts';
import { calledWith, FakePrograms, initPass } from './fake-programs.ts';

const secrets = [login.token, 'se|cret', 'pässwörd', Buffer.from(JSON.stringify(login)).toString('base64')];

let fakePrograms: FakePrograms;
let fakeMachine: FakeMachine;
let home: string;
beforeAll(() => (fakePrograms = new FakePrograms()));
afterAll(() => fakePrograms.close());
beforeEach(() => {
  fakeMachine = new FakeMachine();
  ({ home } = fakeMachine);
  return () => fakeMachine.close();
});

const machine = (options: Parameters<FakeMachine['system']>[0] = {}) =>
  fakeMachine.system({ ...options, env: { PATH: fakePrograms.path, ...options.env } });

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
    expect(fakeMachine.output).toContain('warning: Reading from the Secret Service failed: it is locked.');
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

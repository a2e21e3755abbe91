import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findStore } from '../../../src/cli/stores/find-store.ts';
import { errorOf, expectStoresAndDeletes, FakeMachine, login } from './fake-machine.ts';
import { initPass } from './fake-programs.ts';

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
  let machine: FakeMachine;
  beforeEach(() => {
    machine = new FakeMachine();
    const GNUPGHOME = mkdtempSync(join(tmpdir(), 'gpg-'));
    env = { HOME: machine.home, PATH: process.env.PATH ?? '', GNUPGHOME, ALM_CREDENTIAL_STORE: 'pass' };
    return () => {
      spawnSync('gpgconf', ['--kill', 'all'], { env });
      rmSync(GNUPGHOME, { recursive: true, force: true });
      machine.close();
    };
  });

  it('the real pass stores, returns and deletes a login', async () => {
    key(env, '');
    await expectStoresAndDeletes(machine.system({ env }));
  });

  it('a locked key without a user fails at once', async () => {
    key(env, 'a passphrase');
    const store = await findStore(machine.system({ env }));
    expect((await errorOf(store!.write('default', login))).message).toContain('Reading from pass failed');
    expect(existsSync(join(machine.home, '.password-store/alm/default.gpg'))).toBe(false);
  });

  it('pass cannot be used without its key', async () => {
    initPass(machine.home, 'nobody@example.com');
    expect((await errorOf(findStore(machine.system({ env })))).message).toContain(
      'no secret key for nobody@example.com',
    );
  });
});

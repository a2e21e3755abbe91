import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Clock, realClock } from '../../../src/basics/clock.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import { findStore } from '../../../src/cli/stores/find-store.ts';
import type { StoredLogin } from '../../../src/cli/stores/store.ts';
import type { System } from '../../../src/cli/system.ts';

export const login: StoredLogin = {
  token: 'alm_the-token',
  expires: '2030-01-01T00:00:00.000Z',
  url: 'https://almanac.example.com',
  signIn: { clientId: 'lg-1', clientSecret: 'se|cret "q"', username: 'root', password: 'pässwörd 語 $(x)' },
};

interface SystemOptions {
  env?: Record<string, string>;
  platform?: NodeJS.Platform;
  clock?: Clock;
}

/** A system with its own home directory, whose output is recorded. */
export class FakeMachine {
  readonly home = mkdtempSync(join(tmpdir(), 'alm-stores-'));
  output = '';

  system({ env, platform = 'linux', clock = realClock }: SystemOptions): System {
    const write = (data: string | Uint8Array) => (this.output += String(data));
    return {
      argv: [],
      env: { HOME: this.home, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', ...env },
      home: this.home,
      platform,
      program: { node: '/usr/bin/node', script: '/usr/local/bin/alm' },
      clock,
      stdin: { isTTY: false } as NodeJS.ReadStream,
      stdout: { write } as unknown as NodeJS.WriteStream,
      stderr: { write } as unknown as NodeJS.WriteStream,
      write,
      stdoutIsTty: false,
      onInterrupt: () => () => {},
    };
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export async function errorOf(promise: Promise<unknown>): Promise<CliError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CliError);
  return error as CliError;
}

export async function expectStoresAndDeletes(system: System): Promise<void> {
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

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, System } from '../system.ts';
import { failed, isAttended, isInstalled, type Ran, runHelper } from './helper-program.ts';
import type { Locker } from './store.ts';

/** The store of https://www.passwordstore.org: a file for each entry, encrypted for the owner's GnuPG key. */
export class Pass implements Locker {
  readonly name = 'pass';
  readonly program = 'pass';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async whyNot(): Promise<string | null> {
    if (!isInstalled(this.#system, 'gpg')) return 'there is no program gpg on the PATH';
    const ids = this.#keyIds();
    if (ids.length === 0) return `it has no store in ${this.#folder}; make one: pass init <GnuPG key>`;
    const args = ['--batch', '--list-secret-keys', '--', ...ids];
    const { code } = await runHelper(this.#system, { program: 'gpg', args, name: 'gpg' });
    return code === 0 ? null : `GnuPG has no secret key ${ids.join(', ')}`;
  }

  async get(entry: string): Promise<string | null> {
    if (!this.#has(entry)) return null;
    const ran = await this.#run(['show', `alm/${entry}`]);
    if (ran.code !== 0)
      throw failed('Reading from pass', ran, `Unlock its key on a terminal: pass show alm/${entry}`);
    return ran.stdout;
  }

  async put(entry: string, text: string): Promise<void> {
    const ran = await this.#run(['insert', '--multiline', '--force', `alm/${entry}`], text);
    if (ran.code !== 0) throw failed('Writing to pass', ran);
  }

  async remove(entry: string): Promise<void> {
    if (!this.#has(entry)) return;
    const ran = await this.#run(['rm', '--force', `alm/${entry}`]);
    if (ran.code !== 0) throw failed('Deleting from pass', ran);
  }

  get #folder(): string {
    return this.#system.env.PASSWORD_STORE_DIR || join(this.#system.home, '.password-store');
  }

  #has(entry: string): boolean {
    return existsSync(join(this.#folder, 'alm', `${entry}.gpg`));
  }

  /** Whom the store is encrypted for. */
  #keyIds(): string[] {
    const { PASSWORD_STORE_KEY: fromEnvironment } = this.#system.env;
    if (fromEnvironment) return fromEnvironment.split(/\s+/).filter((id) => id !== '');
    try {
      return readFileSync(join(this.#folder, '.gpg-id'), 'utf8')
        .split('\n')
        .map((line) => line.replace(/#.*/, '').trim())
        .filter((id) => id !== '');
    } catch {
      return [];
    }
  }

  #run(args: readonly string[], input?: string): Promise<Ran> {
    const asked = { program: this.program, args, name: this.name, env: this.#environment() };
    return runHelper(this.#system, input === undefined ? asked : { ...asked, input });
  }

  /** With nobody there a locked key is a quick error; what the user wrote stands behind, and so counts more. */
  #environment(): Environment {
    const theirs = this.#system.env.PASSWORD_STORE_GPG_OPTS ?? '';
    return isAttended(this.#system) ? {} : { PASSWORD_STORE_GPG_OPTS: `--pinentry-mode=error ${theirs}` };
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, System } from '../system.ts';
import { type HelperResult, helperError, isInstalled, isInteractive, runHelper } from './helper-program.ts';
import type { SecretBackend } from './store.ts';

/** The password store of https://www.passwordstore.org: one file per entry, encrypted with the user's GnuPG key. */
export class Pass implements SecretBackend {
  readonly name = 'pass';
  readonly program = 'pass';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async unavailableReason(): Promise<string | null> {
    if (!isInstalled(this.#system, 'gpg')) return 'program gpg not found in PATH';
    const ids = this.#keyIds();
    if (ids.length === 0) return `no store in ${this.#folder}; create one: pass init <GnuPG key>`;
    const args = ['--batch', '--list-secret-keys', '--', ...ids];
    const { code } = await runHelper(this.#system, { program: 'gpg', args, name: 'gpg' });
    return code === 0 ? null : `GnuPG has no secret key for ${ids.join(', ')}`;
  }

  async get(entry: string): Promise<string | null> {
    if (!this.#has(entry)) return null;
    const result = await this.#run(['show', `alm/${entry}`]);
    if (result.code !== 0)
      throw helperError(
        'Reading from pass',
        result,
        `To unlock its key on a terminal: pass show alm/${entry}`,
      );
    return result.stdout;
  }

  async put(entry: string, text: string): Promise<void> {
    const result = await this.#run(['insert', '--multiline', '--force', `alm/${entry}`], text);
    if (result.code !== 0) throw helperError('Writing to pass', result);
  }

  async remove(entry: string): Promise<void> {
    if (!this.#has(entry)) return;
    const result = await this.#run(['rm', '--force', `alm/${entry}`]);
    if (result.code !== 0) throw helperError('Deleting from pass', result);
  }

  get #folder(): string {
    return this.#system.env.PASSWORD_STORE_DIR || join(this.#system.home, '.password-store');
  }

  #has(entry: string): boolean {
    return existsSync(join(this.#folder, 'alm', `${entry}.gpg`));
  }

  /** GnuPG keys the store is encrypted with. */
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

  #run(args: readonly string[], input?: string): Promise<HelperResult> {
    const call = { program: this.program, args, name: this.name, env: this.#environment() };
    return runHelper(this.#system, input === undefined ? call : { ...call, input });
  }

  /** Without a user, a locked key fails at once. The user's own options come last and take precedence. */
  #environment(): Environment {
    const userOptions = this.#system.env.PASSWORD_STORE_GPG_OPTS ?? '';
    return isInteractive(this.#system)
      ? {}
      : { PASSWORD_STORE_GPG_OPTS: `--pinentry-mode=error ${userOptions}` };
  }
}

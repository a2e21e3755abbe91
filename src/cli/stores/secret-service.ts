import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { failed, type Ran, runHelper } from './helper-program.ts';
import type { Locker } from './store.ts';

const attributes = (entry: string): string[] => ['service', 'alm', 'profile', entry];

/** What desktops on Linux keep secrets in, behind the session's message bus. */
export class SecretService implements Locker {
  readonly name = 'the Secret Service';
  readonly program = 'secret-tool';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async whyNot(): Promise<string | null> {
    if (!this.#system.env.DBUS_SESSION_BUS_ADDRESS)
      return 'this session has no message bus (DBUS_SESSION_BUS_ADDRESS)';
    // Where nothing is found there is nothing to unlock: nobody is asked.
    const { stderr } = await this.#run(['lookup', 'service', 'alm', 'check', 'none']);
    return stderr.trim() === '' ? null : (stderr.trim().split('\n')[0] ?? '');
  }

  async get(entry: string): Promise<string | null> {
    const ran = await this.#run(['lookup', ...attributes(entry)]);
    if (ran.code === 0) return ran.stdout;
    if (ran.stderr.trim() !== '') throw failed(`Reading from ${this.name}`, ran);
    await this.#mustNotBeThere(entry, 'Reading');
    return null;
  }

  async put(entry: string, text: string): Promise<void> {
    const ran = await this.#run(['store', `--label=alm: ${entry}`, ...attributes(entry)], text);
    if (ran.code !== 0) throw failed(`Writing to ${this.name}`, ran);
  }

  async remove(entry: string): Promise<void> {
    await this.#run(['clear', ...attributes(entry)]);
    await this.#mustNotBeThere(entry, 'Deleting');
  }

  /** What is locked is neither shown nor cleared, and `secret-tool` says as little as if it were not there. */
  async #mustNotBeThere(entry: string, doing: string): Promise<void> {
    const { stdout } = await this.#run(['search', ...attributes(entry)]);
    if (stdout.trim() === '') return;
    throw new CliError('refused', `${doing} from ${this.name} failed: it is locked.`, {
      hints: ['Unlock it and try again.'],
    });
  }

  #run(args: readonly string[], input?: string): Promise<Ran> {
    const asked = { program: this.program, args, name: this.name };
    return runHelper(this.#system, input === undefined ? asked : { ...asked, input });
  }
}

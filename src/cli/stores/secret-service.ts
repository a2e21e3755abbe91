import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { type HelperResult, helperError, runHelper } from './helper-program.ts';
import type { SecretBackend } from './store.ts';

const attributes = (entry: string): string[] => ['service', 'alm', 'profile', entry];

/** The Secret Service of Linux desktops, reached through the session's D-Bus. */
export class SecretService implements SecretBackend {
  readonly name = 'the Secret Service';
  readonly program = 'secret-tool';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async unavailableReason(): Promise<string | null> {
    if (!this.#system.env.DBUS_SESSION_BUS_ADDRESS)
      return 'no D-Bus session (DBUS_SESSION_BUS_ADDRESS is not set)';
    // A lookup without a match never asks to unlock.
    const { stderr } = await this.#run(['lookup', 'service', 'alm', 'check', 'none']);
    return stderr.trim() === '' ? null : (stderr.trim().split('\n')[0] ?? '');
  }

  async get(entry: string): Promise<string | null> {
    const result = await this.#run(['lookup', ...attributes(entry)]);
    if (result.code === 0) return result.stdout;
    if (result.stderr.trim() !== '') throw helperError(`Reading from ${this.name}`, result);
    await this.#requireAbsent(entry, 'Reading');
    return null;
  }

  async put(entry: string, text: string): Promise<void> {
    const result = await this.#run(['store', `--label=alm: ${entry}`, ...attributes(entry)], text);
    if (result.code !== 0) throw helperError(`Writing to ${this.name}`, result);
  }

  async remove(entry: string): Promise<void> {
    await this.#run(['clear', ...attributes(entry)]);
    await this.#requireAbsent(entry, 'Deleting');
  }

  /** `secret-tool` reports a locked entry like an absent one; `search` finds both. */
  async #requireAbsent(entry: string, action: string): Promise<void> {
    const { stdout } = await this.#run(['search', ...attributes(entry)]);
    if (stdout.trim() === '') return;
    throw new CliError('refused', `${action} from ${this.name} failed: it is locked.`, {
      hints: ['Unlock it and retry.'],
    });
  }

  #run(args: readonly string[], input?: string): Promise<HelperResult> {
    const call = { program: this.program, args, name: this.name };
    return runHelper(this.#system, input === undefined ? call : { ...call, input });
  }
}

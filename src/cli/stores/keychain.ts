import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { type HelperResult, helperError, runHelper, withoutStoreHint } from './helper-program.ts';
import type { SecretBackend } from './store.ts';

/** Exit code of `security` if the item is not found. */
const notFound = 44;
/** Maximum length of a command line of `security -i`. */
const maxCommandLength = 4095;

/** The macOS keychain. Stores base64, because `security` escapes non-ASCII text. */
export class Keychain implements SecretBackend {
  readonly name = 'the keychain';
  readonly program = 'security';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async unavailableReason(): Promise<string | null> {
    const { code, stderr } = await this.#run(['default-keychain']);
    return code === 0 ? null : stderr.trim().split('\n')[0] || 'no default keychain';
  }

  async get(entry: string): Promise<string | null> {
    const result = await this.#run(['find-generic-password', '-s', 'alm', '-a', entry, '-w']);
    if (result.code === notFound) return null;
    if (result.code !== 0) throw helperError(`Reading from ${this.name}`, result);
    return Buffer.from(result.stdout.trim(), 'base64').toString('utf8');
  }

  /** Writes the command to standard input: arguments are visible to every user. */
  async put(entry: string, text: string): Promise<void> {
    const secret = Buffer.from(text).toString('base64');
    const command = `add-generic-password -U -s alm -a ${entry} -l alm:${entry} -w ${secret}\n`;
    if (command.length > maxCommandLength)
      throw new CliError('refused', `The token is too long for ${this.name}.`, {
        hints: [withoutStoreHint],
      });
    const result = await this.#run(['-i'], command);
    if (result.code !== 0) throw helperError(`Writing to ${this.name}`, result);
  }

  async remove(entry: string): Promise<void> {
    const result = await this.#run(['delete-generic-password', '-s', 'alm', '-a', entry]);
    if (result.code !== 0 && result.code !== notFound)
      throw helperError(`Deleting from ${this.name}`, result);
  }

  #run(args: readonly string[], input?: string): Promise<HelperResult> {
    const call = { program: this.program, args, name: this.name };
    return runHelper(this.#system, input === undefined ? call : { ...call, input });
  }
}

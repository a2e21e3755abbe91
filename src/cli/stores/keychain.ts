import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { failed, type Ran, runHelper } from './helper-program.ts';
import type { Locker } from './store.ts';

/** What `security` ends with when there is no such item. */
const notFound = 44;
/** It reads its commands in lines no longer than this. */
const longestCommand = 4095;

/** The keychain of macOS. Kept as base64, because `security` shows what is not ASCII in a form of its own. */
export class Keychain implements Locker {
  readonly name = 'the keychain';
  readonly program = 'security';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async whyNot(): Promise<string | null> {
    const { code, stderr } = await this.#run(['default-keychain']);
    return code === 0 ? null : stderr.trim().split('\n')[0] || 'there is no default keychain';
  }

  async get(entry: string): Promise<string | null> {
    const ran = await this.#run(['find-generic-password', '-s', 'alm', '-a', entry, '-w']);
    if (ran.code === notFound) return null;
    if (ran.code !== 0) throw failed(`Reading from ${this.name}`, ran);
    return Buffer.from(ran.stdout.trim(), 'base64').toString('utf8');
  }

  /** The command goes to standard input: arguments could be read by everybody. */
  async put(entry: string, text: string): Promise<void> {
    const secret = Buffer.from(text).toString('base64');
    const command = `add-generic-password -U -s alm -a ${entry} -l alm:${entry} -w ${secret}\n`;
    if (command.length > longestCommand)
      throw new CliError('refused', `The token is too long for ${this.name}.`, {
        hints: ['Without it: ALM_CREDENTIAL_STORE=none'],
      });
    const ran = await this.#run(['-i'], command);
    if (ran.code !== 0) throw failed(`Writing to ${this.name}`, ran);
  }

  async remove(entry: string): Promise<void> {
    const ran = await this.#run(['delete-generic-password', '-s', 'alm', '-a', entry]);
    if (ran.code !== 0 && ran.code !== notFound) throw failed(`Deleting from ${this.name}`, ran);
  }

  #run(args: readonly string[], input?: string): Promise<Ran> {
    const asked = { program: this.program, args, name: this.name };
    return runHelper(this.#system, input === undefined ? asked : { ...asked, input });
  }
}

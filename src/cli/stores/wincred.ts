import type { System } from '../system.ts';
import { failed, type Ran, runHelper } from './helper-program.ts';
import type { Locker } from './store.ts';

const notFound = 44;

/**
 * Reads from standard input what to do, for which entry and with what: arguments could be read by everybody.
 * The number is ERROR_NOT_FOUND as the vault has it.
 */
const script = `
$ErrorActionPreference = 'Stop'
trap { [Console]::Error.WriteLine($_.Exception.Message); exit 1 }
[void][Windows.Security.Credentials.PasswordVault, Windows.Security.Credentials, ContentType = WindowsRuntime]
$vault = New-Object Windows.Security.Credentials.PasswordVault
$verb, $entry, $secret = [Console]::In.ReadToEnd().Trim() -split ' '
function Find-Entry {
  try { $vault.Retrieve('alm', $entry) }
  catch { if ($_.Exception.GetBaseException().HResult -ne -2147023728) { throw } }
}
switch ($verb) {
  'get' {
    $found = Find-Entry
    if ($null -eq $found) { exit ${notFound} }
    $found.RetrievePassword()
    [Console]::Out.Write($found.Password)
  }
  'put' { $vault.Add((New-Object Windows.Security.Credentials.PasswordCredential('alm', $entry, $secret))) }
  'remove' {
    $found = Find-Entry
    if ($null -ne $found) { $vault.Remove($found) }
  }
}
exit 0
`;

const args = [
  '-NoProfile',
  '-NonInteractive',
  '-OutputFormat',
  'Text',
  '-EncodedCommand',
  Buffer.from(script, 'utf16le').toString('base64'),
];

/** The credential manager of Windows. Kept as base64, because consoles there have many encodings. */
export class Wincred implements Locker {
  readonly name = 'the credential manager';
  readonly program = 'powershell.exe';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async whyNot(): Promise<string | null> {
    const { code, stderr } = await this.#run('check none');
    return code === 0 ? null : stderr.trim().split('\n')[0] || 'it does not answer';
  }

  async get(entry: string): Promise<string | null> {
    const ran = await this.#run(`get ${entry}`);
    if (ran.code === notFound) return null;
    if (ran.code !== 0) throw failed(`Reading from ${this.name}`, ran);
    return Buffer.from(ran.stdout.trim(), 'base64').toString('utf8');
  }

  async put(entry: string, text: string): Promise<void> {
    const ran = await this.#run(`put ${entry} ${Buffer.from(text).toString('base64')}`);
    if (ran.code !== 0) throw failed(`Writing to ${this.name}`, ran);
  }

  async remove(entry: string): Promise<void> {
    const ran = await this.#run(`remove ${entry}`);
    if (ran.code !== 0) throw failed(`Deleting from ${this.name}`, ran);
  }

  #run(input: string): Promise<Ran> {
    return runHelper(this.#system, { program: this.program, args, input, name: this.name });
  }
}

import type { System } from '../system.ts';
import { type HelperResult, helperError, runHelper } from './helper-program.ts';
import type { SecretBackend } from './store.ts';

const notFound = 44;

/**
 * Reads the command, the entry and the secret from standard input: arguments are visible to every user.
 * The number is the vault's ERROR_NOT_FOUND.
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

/** The Windows credential manager. Stores base64, because console encodings differ. */
export class Wincred implements SecretBackend {
  readonly name = 'the credential manager';
  readonly program = 'powershell.exe';
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  async unavailableReason(): Promise<string | null> {
    const { code, stderr } = await this.#run('check none');
    return code === 0 ? null : stderr.trim().split('\n')[0] || 'no response';
  }

  async get(entry: string): Promise<string | null> {
    const result = await this.#run(`get ${entry}`);
    if (result.code === notFound) return null;
    if (result.code !== 0) throw helperError(`Reading from ${this.name}`, result);
    return Buffer.from(result.stdout.trim(), 'base64').toString('utf8');
  }

  async put(entry: string, text: string): Promise<void> {
    const result = await this.#run(`put ${entry} ${Buffer.from(text).toString('base64')}`);
    if (result.code !== 0) throw helperError(`Writing to ${this.name}`, result);
  }

  async remove(entry: string): Promise<void> {
    const result = await this.#run(`remove ${entry}`);
    if (result.code !== 0) throw helperError(`Deleting from ${this.name}`, result);
  }

  #run(input: string): Promise<HelperResult> {
    return runHelper(this.#system, { program: this.program, args, input, name: this.name });
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The public half of a private key, as the real OpenSSH reads it. */
export function publicHalf(key: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'key-'));
  try {
    writeFileSync(join(directory, 'key'), key, { mode: 0o600 });
    return execFileSync('ssh-keygen', ['-y', '-f', join(directory, 'key')], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

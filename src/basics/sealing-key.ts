import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secret } from './secret.ts';

const decode = (text: string, from: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new Error(`${from} must hold 32 bytes in base64 (openssl rand -base64 32); it holds ${key.length}.`);
};

/** The key that seals secrets at rest: from the environment, or from a file beside the data that only its owner reads. */
export function readSealingKey(dataDirectory: string, fromEnvironment: Secret | null): Buffer {
  if (fromEnvironment) return decode(fromEnvironment.reveal(), 'ALM_SECRET_KEY');
  const file = join(dataDirectory, 'secret.key');
  if (!existsSync(file)) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return decode(readFileSync(file, 'utf8'), file);
}

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SealingKeys, Secret } from './secret.ts';

const decode = (text: string, from: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new Error(`${from} must hold 32 bytes in base64 (openssl rand -base64 32); it holds ${key.length}.`);
};

/** Several keys are written one after the other: the first seals, the others still open what they sealed. */
const decodeAll = (text: string, separator: string, from: string): SealingKeys => {
  const [current = '', ...others] = text.split(separator).filter((part) => part.trim() !== '');
  return [decode(current, from), ...others.map((other) => decode(other, from))];
};

export const sealingKeyFile = (dataDirectory: string): string => join(dataDirectory, 'secret.key');

export const newSealingKey = (): Buffer => randomBytes(32);

const textOf = (keys: SealingKeys): string => keys.map((key) => `${key.toString('base64')}\n`).join('');

export const readKeyFile = (file: string): SealingKeys => decodeAll(readFileSync(file, 'utf8'), '\n', file);

/** Nothing is given and no file is there: reading the keys would make one. */
export const lacksSealingKey = (dataDirectory: string, fromEnvironment: Secret | null): boolean =>
  fromEnvironment === null && !existsSync(sealingKeyFile(dataDirectory));

/** The keys that seal secrets at rest: from the environment, or from a file beside the data that only its owner reads. */
export function readSealingKeys(dataDirectory: string, fromEnvironment: Secret | null): SealingKeys {
  if (fromEnvironment) return decodeAll(fromEnvironment.reveal(), ',', 'ALM_SECRET_KEY');
  const file = sealingKeyFile(dataDirectory);
  if (lacksSealingKey(dataDirectory, fromEnvironment)) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(file, textOf([newSealingKey()]), { mode: 0o600, flag: 'wx' });
  }
  return readKeyFile(file);
}

/** Reads them again each time it is asked, because the file may be rotated; while it cannot be read, the last ones hold. */
export function watchSealingKeys(dataDirectory: string, fromEnvironment: Secret | null): () => SealingKeys {
  let keys = readSealingKeys(dataDirectory, fromEnvironment);
  if (fromEnvironment) return () => keys;
  return () => {
    try {
      keys = readKeyFile(sealingKeyFile(dataDirectory));
    } catch {
      // Removed or half edited by hand: that must not stop a server that already knows its keys.
    }
    return keys;
  };
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'w', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** At every moment the file holds either the old keys or the new ones, also after a power cut. */
export function replaceKeyFile(file: string, keys: SealingKeys): void {
  const unfinished = `${file}.unfinished`;
  writeDurably(unfinished, textOf(keys));
  renameSync(unfinished, file);
  const directory = openSync(join(file, '..'), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

const retiredKeyFile = (file: string): string => `${file}.old`;

export const readRetiredKeys = (file: string): readonly Buffer[] =>
  existsSync(retiredKeyFile(file)) ? readKeyFile(retiredKeyFile(file)) : [];

/** Backups from before open with them only, so they are kept beside the file, the latest first, until somebody deletes them. */
export function retireKeys(file: string, [current, ...retired]: SealingKeys): void {
  const [latest, ...before] = [...retired, ...readRetiredKeys(file)].filter(
    (key, index, all) => all.findIndex((other) => other.equals(key)) === index,
  );
  if (latest) replaceKeyFile(retiredKeyFile(file), [latest, ...before]);
  replaceKeyFile(file, [current]);
}

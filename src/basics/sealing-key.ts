import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SealingKeys, Secret } from './secret.ts';

const decode = (text: string, source: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new Error(
    `${source} must be 32 bytes in base64 (openssl rand -base64 32); it is ${key.length} bytes.`,
  );
};

/** A list of keys: the first one seals, the others only unseal. */
const decodeAll = (text: string, separator: string, source: string): SealingKeys => {
  const [current = '', ...others] = text.split(separator).filter((part) => part.trim() !== '');
  return [decode(current, source), ...others.map((other) => decode(other, source))];
};

export const sealingKeyFile = (dataDirectory: string): string => join(dataDirectory, 'secret.key');

export const newSealingKey = (): Buffer => randomBytes(32);

const textOf = (keys: SealingKeys): string => keys.map((key) => `${key.toString('base64')}\n`).join('');

export const readKeyFile = (file: string): SealingKeys => decodeAll(readFileSync(file, 'utf8'), '\n', file);

/** No key is set and no file exists: reading the keys would create one. */
export const lacksSealingKey = (dataDirectory: string, fromEnvironment: Secret | null): boolean =>
  fromEnvironment === null && !existsSync(sealingKeyFile(dataDirectory));

/** A link appears whole or not at all: of servers that start together one wins, and the others read its key. */
export function createKeyFile(file: string): void {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  writeDurably(temporary, textOf([newSealingKey()]));
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(temporary);
  }
}

/** Keys that seal secrets at rest: from the environment, or from a file in the data directory that only its owner can read. */
export function readSealingKeys(dataDirectory: string, fromEnvironment: Secret | null): SealingKeys {
  if (fromEnvironment) return decodeAll(fromEnvironment.reveal(), ',', 'ALM_SECRET_KEY');
  const file = sealingKeyFile(dataDirectory);
  if (lacksSealingKey(dataDirectory, fromEnvironment)) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    createKeyFile(file);
  }
  return readKeyFile(file);
}

/** Differs when the file was replaced or edited. */
const editionOf = (file: string): string => {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
};

/**
 * Returns a function that reads the keys again when the file has changed, because it may be rotated. Uses the last keys while the
 * file cannot be read.
 */
export function watchSealingKeys(dataDirectory: string, fromEnvironment: Secret | null): () => SealingKeys {
  let keys = readSealingKeys(dataDirectory, fromEnvironment);
  if (fromEnvironment) return () => keys;
  const file = sealingKeyFile(dataDirectory);
  let known = '';
  return () => {
    try {
      const edition = editionOf(file);
      if (edition === known) return keys;
      keys = readKeyFile(file);
      known = edition;
    } catch {
      // Removed or being edited by hand: this must not stop a running server.
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

/** Replaces the file atomically: it has either the old or the new keys, even after a power failure. */
export function replaceKeyFile(file: string, keys: SealingKeys): void {
  const temporary = `${file}.unfinished`;
  writeDurably(temporary, textOf(keys));
  renameSync(temporary, file);
  const directory = openSync(join(file, '..'), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

const retiredKeyFile = (file: string): string => `${file}.old`;

export const readRetiredKeys = (file: string): readonly Buffer[] =>
  existsSync(retiredKeyFile(file)) ? readKeyFile(retiredKeyFile(file)) : [];

/** Keeps retired keys in a file next to the current one, latest first, because older backups need them. */
export function retireKeys(file: string, [current, ...retired]: SealingKeys): void {
  const [latest, ...before] = [...retired, ...readRetiredKeys(file)].filter(
    (key, index, all) => all.findIndex((other) => other.equals(key)) === index,
  );
  if (latest) replaceKeyFile(retiredKeyFile(file), [latest, ...before]);
  replaceKeyFile(file, [current]);
}

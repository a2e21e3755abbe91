import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto';
import { Failure } from '../../../basics/failure.ts';
import { Secret } from '../../../basics/secret.ts';
import {
  activateNextKey,
  deleteOldKeys,
  insertRegistryKey,
  listRegistryKeys,
  type RegistryKeyRow,
} from '../../../store/registry/keys.ts';
import { type Service, sealedFor } from '../../service.ts';
import { selfSigned } from './certificate.ts';
import { keyIdOf } from './key-id.ts';

type Parts = Pick<Service, 'database' | 'sealer' | 'clock' | 'settings'>;

export interface SigningKey {
  id: string;
  privateKey: KeyObject;
  /** DER in base64, for the header of tokens. */
  certificate: string;
}

function newKey({ sealer, clock, settings }: Parts, state: RegistryKeyRow['state']): RegistryKeyRow {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = keyIdOf(publicKey);
  const now = clock.now();
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    id,
    sealed_key: sealer.seal(new Secret(text), sealedFor.registryKey(id)),
    certificate: selfSigned(privateKey, { name: settings.registry.issuer, now }),
    state,
    created_at: now,
  };
}

/** Reading a key takes longer than signing with it. A key never changes; few exist. */
const opened = new Map<string, SigningKey>();
const maxOpened = 100;

const open = ({ sealer }: Pick<Service, 'sealer'>, row: RegistryKeyRow): SigningKey => {
  const known = opened.get(row.id);
  if (known) return known;
  const text = sealer.unseal(row.sealed_key, sealedFor.registryKey(row.id)).reveal();
  const certificate = row.certificate.replaceAll(/-----[^-]+-----|\s/g, '');
  const key = { id: row.id, privateKey: createPrivateKey(text), certificate };
  if (opened.size >= maxOpened) opened.clear();
  opened.set(row.id, key);
  return key;
};

const isCurrent = ({ state }: RegistryKeyRow): boolean => state === 'current';

/** All keys, newest first. Creates the first one: if several servers do so at once, one of them wins. */
export async function readKeys(parts: Parts): Promise<RegistryKeyRow[]> {
  const { query } = parts.database;
  const rows = await listRegistryKeys(query);
  if (rows.some(isCurrent)) return rows;
  await insertRegistryKey(query, newKey(parts, 'current'));
  return listRegistryKeys(query);
}

export async function currentKey(parts: Parts): Promise<SigningKey> {
  const row = (await readKeys(parts)).find(isCurrent);
  if (!row) throw new Error('There is no current registry key.');
  return open(parts, row);
}

/** The certificates of all keys, in PEM: what a registry needs to accept tokens before, during and after a rotation. */
export const bundleOf = (keys: readonly RegistryKeyRow[]): string =>
  keys.map(({ certificate }) => certificate).join('');

/** Prepares the next key. False: one is prepared already. */
export async function prepareNextKey(parts: Parts): Promise<boolean> {
  await readKeys(parts);
  return insertRegistryKey(parts.database.query, newKey(parts, 'next'));
}

/** Signs with the next key from now on. */
export async function activateKey({ database }: Parts): Promise<void> {
  if (await database.transaction(activateNextKey)) return;
  throw new Failure('conflict', 'There is no next key', {
    description: 'Prepare one with: almanac registry rotate-key',
  });
}

/** Returns the ids of the keys. */
export const forgetOldKeys = ({ database }: Parts): Promise<string[]> => deleteOldKeys(database.query);

const secretOf = ({ privateKey }: SigningKey, purpose: string): string =>
  Buffer.from(
    hkdfSync(
      'sha256',
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      '',
      `almanac registry ${purpose}`,
      24,
    ),
  ).toString('base64url');

const newestFirst: readonly RegistryKeyRow['state'][] = ['next', 'current', 'old'];

/**
 * Secrets of the notifications of a registry, and of pull credentials. Derived from the keys, so that nothing else is stored and a rotation changes them too. All of them count; the first one is
 * for new uses: that of the next key, if there is one, so that nothing ends when the old key is forgotten.
 */
export async function registrySecrets(
  parts: Parts,
  purpose: 'notifications' | 'pull',
): Promise<[newest: Secret, ...others: Secret[]]> {
  const rows = await readKeys(parts);
  const [newest, ...others] = newestFirst
    .flatMap((state) => rows.filter((row) => row.state === state))
    .map((row) => new Secret(secretOf(open(parts, row), purpose)));
  if (!newest) throw new Error('There is no registry key.');
  return [newest, ...others];
}

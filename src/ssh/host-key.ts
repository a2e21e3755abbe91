import { createHash } from 'node:crypto';

/** `ssh-ed25519 AAAA…`: a host's public key as known_hosts files write it. */
export type HostKey = string;

/** What a key as it travels says of its own type. */
const typeOf = (blob: Buffer): string => {
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0;
  return blob.subarray(4, 4 + length).toString('latin1');
};

export const writeHostKey = (blob: Buffer): HostKey => `${typeOf(blob)} ${blob.toString('base64')}`;

const blobOf = (key: HostKey): Buffer => Buffer.from(key.split(' ')[1] ?? '', 'base64');

/** As `ssh` and `ssh-keygen -l` show it. */
export const fingerprintOf = (key: HostKey): string =>
  `SHA256:${createHash('sha256').update(blobOf(key)).digest('base64').replace(/=+$/, '')}`;

const algorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

/** The same host has keys of several types: the one that is known is asked for first, so that it is the one compared. */
export const algorithmsFor = (known: HostKey | null): (typeof algorithms)[number][] => {
  const type = known?.split(' ')[0] ?? '';
  const fits = (name: string) => name === type || (type === 'ssh-rsa' && name.startsWith('rsa-'));
  return [...algorithms.filter(fits), ...algorithms.filter((name) => !fits(name))];
};

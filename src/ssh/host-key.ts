import { createHash } from 'node:crypto';

/** `ssh-ed25519 AAAA…`: a host's public key in known_hosts format. */
export type HostKey = string;

/** Type of a key in SSH wire format. */
const typeOf = (blob: Buffer): string => {
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0;
  return blob.subarray(4, 4 + length).toString('latin1');
};

export const writeHostKey = (blob: Buffer): HostKey => `${typeOf(blob)} ${blob.toString('base64')}`;

const blobOf = (key: HostKey): Buffer => Buffer.from(key.split(' ')[1] ?? '', 'base64');

/** Fingerprint in the format of `ssh` and `ssh-keygen -l`. */
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

/** A host has keys of several types: requests the known type first, so that the known key is compared. */
export const algorithmsFor = (known: HostKey | null): (typeof algorithms)[number][] => {
  const type = known?.split(' ')[0] ?? '';
  const matches = (name: string) => name === type || (type === 'ssh-rsa' && name.startsWith('rsa-'));
  return [...algorithms.filter(matches), ...algorithms.filter((name) => !matches(name))];
};

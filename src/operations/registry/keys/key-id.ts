import { createHash, type KeyObject } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base 32 of 30 bytes: 48 characters, without padding. */
const base32 = (bytes: Buffer): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
};

/** The id that a registry computes from a certificate: 12 groups of four, such as `GBSC:2FN5:…`. */
export const keyIdOf = (publicKey: KeyObject): string => {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const start = createHash('sha256').update(der).digest().subarray(0, 30);
  return (base32(start).match(/.{4}/g) ?? []).join(':');
};

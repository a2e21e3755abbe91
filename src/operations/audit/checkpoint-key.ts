import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import { digest } from '../access/secret-hash.ts';

/** DER of an Ed25519 private key, without the 32 bytes of the key. */
const privateKeyStart = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derived from the sealing key, so that write access to the database is not enough to sign. */
export const signingKeyOf = (sealingKey: Buffer): KeyObject => {
  const seed = Buffer.from(hkdfSync('sha256', sealingKey, '', 'almanac audit checkpoints', 32));
  return createPrivateKey({ key: Buffer.concat([privateKeyStart, seed]), format: 'der', type: 'pkcs8' });
};

/** The public part, in base64: not a secret. */
export const publicPartOf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');

export const keyIdOf = (publicPart: string): string => digest(publicPart).slice(0, 16);

export const signText = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString('base64');

export function isSignedBy(publicPart: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicPart, 'base64'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

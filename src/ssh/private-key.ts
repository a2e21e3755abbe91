import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Ed25519Key, openSshPrivateKey, openSshPublicKey } from '../basics/open-ssh-key.ts';
import { Secret } from '../basics/secret.ts';

const ed25519Bytes = (key: KeyObject): Omit<Ed25519Key, 'comment'> => {
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  return { secretBytes: Buffer.from(d, 'base64url'), publicBytes: Buffer.from(x, 'base64url') };
};

const exported = (key: KeyObject): string => {
  if (key.asymmetricKeyType === 'ed25519') return openSshPrivateKey({ ...ed25519Bytes(key), comment: '' });
  const type = key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1';
  return key.export({ format: 'pem', type }).toString();
};

/** Converts PKCS #8 keys, which the ssh client does not read; returns keys in other formats unchanged. */
export const toSshFormat = (key: Secret): Secret =>
  key.reveal().includes('-----BEGIN PRIVATE KEY-----')
    ? new Secret(exported(createPrivateKey(key.reveal())))
    : key;

/** Both halves in the formats of OpenSSH. */
export interface KeyPair {
  publicKey: string;
  privateKey: Secret;
}

export function newKeyPair(comment: string): KeyPair {
  const key = { ...ed25519Bytes(generateKeyPairSync('ed25519').privateKey), comment };
  return { publicKey: openSshPublicKey(key), privateKey: new Secret(openSshPrivateKey(key)) };
}

import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { Secret } from '../../../basics/secret.ts';
import { keyPairName } from '../../../model/names.ts';

/**
 * Key pairs in the format every ssh client reads. They are derived from a seed and the layer, and not stored. The random
 * seed is a label of the stack's network, which is readable only with access to the engine.
 */

/** The prefix of the 32 secret bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const keyType = 'ssh-ed25519';

interface Pair {
  secretBytes: Buffer;
  publicBytes: Buffer;
}

function pairOf(seed: string, flag: string): Pair {
  const secretBytes = createHmac('sha256', seed).update(`private key of layer ${flag}`).digest();
  const der = Buffer.concat([pkcs8Prefix, secretBytes]);
  const { x } = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({
    format: 'jwk',
  });
  return { secretBytes, publicBytes: Buffer.from(x ?? '', 'base64url') };
}

const integer = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const field = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(bytes.length), bytes]);
};
const publicPart = ({ publicBytes }: Pair): Buffer => Buffer.concat([field(keyType), field(publicBytes)]);

/** One line of an `authorized_keys` file. */
export const publicKeyOf = (seed: string, stackId: string, flag: string): string =>
  `${keyType} ${publicPart(pairOf(seed, flag)).toString('base64')} ${keyPairName(stackId, flag)}`;

/** Pads with the bytes 1, 2, 3 … to a multiple of 8. */
const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.from(Array.from({ length: -bytes.length & 7 }, (_, index) => index + 1))]);

/** OpenSSH's own private key format, the only one in which older versions read an Ed25519 key. */
export function privateKeyOf(seed: string, stackId: string, flag: string): Secret {
  const pair = pairOf(seed, flag);
  // The same number twice shows that a password decrypts the key. This key has no password.
  const check = integer(0);
  const secretPart = padded(
    Buffer.concat([
      check,
      check,
      publicPart(pair),
      field(Buffer.concat([pair.secretBytes, pair.publicBytes])),
      field(keyPairName(stackId, flag)),
    ]),
  );
  const key = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    integer(1),
    field(publicPart(pair)),
    field(secretPart),
  ]);
  const lines = key.toString('base64').match(/.{1,70}/g) ?? [];
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} OPENSSH PRIVATE KEY-----`);
  return new Secret(`${[begin, ...lines, end].join('\n')}\n`);
}

import { createPrivateKey, createPublicKey } from 'node:crypto';

/** Ed25519 keys in the formats of OpenSSH. */

const keyType = 'ssh-ed25519';

export interface Ed25519Key {
  /** 32 bytes each. */
  secretBytes: Buffer;
  publicBytes: Buffer;
  comment: string;
}

/** The prefix of the 32 secret bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key with these 32 secret bytes. */
export function ed25519Key(secretBytes: Buffer, comment: string): Ed25519Key {
  const der = Buffer.concat([pkcs8Prefix, secretBytes]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  const { x = '' } = key.export({ format: 'jwk' });
  return { secretBytes, publicBytes: Buffer.from(x, 'base64url'), comment };
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

const publicPart = (publicBytes: Buffer): Buffer => Buffer.concat([field(keyType), field(publicBytes)]);

/** Pads with the bytes 1, 2, 3 … to a multiple of 8. */
const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.from(Array.from({ length: -bytes.length & 7 }, (_, index) => index + 1))]);

/** One line of an `authorized_keys` file. */
export const openSshPublicKey = ({ publicBytes, comment }: Omit<Ed25519Key, 'secretBytes'>): string =>
  `${keyType} ${publicPart(publicBytes).toString('base64')} ${comment}`;

/** OpenSSH's own private key format, the only one in which ssh clients read Ed25519 keys. */
export function openSshPrivateKey({ secretBytes, publicBytes, comment }: Ed25519Key): string {
  // The same number twice shows that a password decrypts the key. This key has no password.
  const check = integer(0);
  const secretPart = padded(
    Buffer.concat([
      check,
      check,
      publicPart(publicBytes),
      field(Buffer.concat([secretBytes, publicBytes])),
      field(comment),
    ]),
  );
  const key = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    integer(1),
    field(publicPart(publicBytes)),
    field(secretPart),
  ]);
  const lines = key.toString('base64').match(/.{1,70}/g) ?? [];
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} OPENSSH PRIVATE KEY-----`);
  return `${[begin, ...lines, end].join('\n')}\n`;
}

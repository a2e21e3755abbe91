import { createPrivateKey, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { Secret } from '../basics/secret.ts';

const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** OpenSSH pads the private part with 1, 2, 3 … to a multiple of eight bytes. */
const padded = (bytes: Buffer): Buffer => {
  const missing = (8 - (bytes.length % 8)) % 8;
  return Buffer.concat([bytes, Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))]);
};

/** OpenSSH format, the only one in which ssh clients read Ed25519 keys. */
function openSshFormat({ d = '', x = '' }: JsonWebKey): string {
  const seed = Buffer.from(d, 'base64url');
  const point = Buffer.from(x, 'base64url');
  const publicPart = Buffer.concat([text('ssh-ed25519'), text(point)]);
  const check = randomBytes(4);
  const privatePart = padded(
    Buffer.concat([check, check, publicPart, text(Buffer.concat([seed, point])), text('')]),
  );
  const key = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    text('none'),
    text('none'),
    text(''),
    number(1),
    text(publicPart),
    text(privatePart),
  ]);
  const lines = key.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
}

const exported = (key: KeyObject): string => {
  if (key.asymmetricKeyType === 'ed25519') return openSshFormat(key.export({ format: 'jwk' }));
  const type = key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1';
  return key.export({ format: 'pem', type }).toString();
};

/** Converts PKCS #8 keys, which the ssh client does not read; returns keys in other formats unchanged. */
export const toSshFormat = (key: Secret): Secret =>
  key.reveal().includes('-----BEGIN PRIVATE KEY-----')
    ? new Secret(exported(createPrivateKey(key.reveal())))
    : key;

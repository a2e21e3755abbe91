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

/** OpenSSH pads the private part with 1, 2, 3 … to whole blocks of eight bytes. */
const padded = (bytes: Buffer): Buffer => {
  const missing = (8 - (bytes.length % 8)) % 8;
  return Buffer.concat([bytes, Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))]);
};

/** The only form of an Ed25519 key that ssh programs read. */
function openSshForm({ d = '', x = '' }: JsonWebKey): string {
  const seed = Buffer.from(d, 'base64url');
  const point = Buffer.from(x, 'base64url');
  const publicPart = Buffer.concat([text('ssh-ed25519'), text(point)]);
  const check = randomBytes(4);
  const privatePart = padded(
    Buffer.concat([check, check, publicPart, text(Buffer.concat([seed, point])), text('')]),
  );
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    text('none'),
    text('none'),
    text(''),
    number(1),
    text(publicPart),
    text(privatePart),
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
}

const exported = (key: KeyObject): string => {
  if (key.asymmetricKeyType === 'ed25519') return openSshForm(key.export({ format: 'jwk' }));
  const type = key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1';
  return key.export({ format: 'pem', type }).toString();
};

/** Vendors give keys in PKCS #8 too, which the ssh client does not read; all other forms stay as they are. */
export const readableBySsh = (key: Secret): Secret =>
  key.reveal().includes('-----BEGIN PRIVATE KEY-----')
    ? new Secret(exported(createPrivateKey(key.reveal())))
    : key;

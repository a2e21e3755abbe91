import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

/** A value that does not print: not in logs, not in JSON, not in errors. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** Seals secrets for storage. What is sealed for one place (`context`) cannot be opened in another. */
export interface Sealer {
  seal(secret: Secret, context: string): string;
  unseal(sealed: string, context: string): Secret;
}

const format = 'v1';

/** AES-256-GCM under the given key: `v1.<key id>.<nonce>.<tag>.<ciphertext>`, base64url. */
export const sealerWithKey = (key: Buffer): Sealer => {
  if (key.length !== 32) throw new Error(`The sealing key must be 32 bytes, this one has ${key.length}.`);
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return {
    seal(secret, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
      return [format, keyId, ...parts].join('.');
    },
    unseal(sealed, context) {
      const [version, sealedWith, nonce = '', tag = '', text = ''] = sealed.split('.');
      if (version !== format) throw new Error(`Unknown sealed format ${String(version)}.`);
      if (sealedWith !== keyId)
        throw new Error(`Sealed with key ${String(sealedWith)}, but this server holds ${keyId}.`);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      const plain = Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]);
      return new Secret(plain.toString('utf8'));
    },
  };
};

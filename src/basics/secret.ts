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

const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** How every text sealed with this key begins. */
export const sealedPrefix = (key: Buffer): string => `${format}.${keyIdOf(key)}.`;

function refuseOtherSizes(keys: readonly Buffer[]): void {
  for (const { length } of keys)
    if (length !== 32) throw new Error(`The sealing key must be 32 bytes, this one has ${length}.`);
}

function sealWith(key: Buffer, secret: Secret, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
  return sealedPrefix(key) + parts.join('.');
}

function unsealWith(key: Buffer, sealed: string, context: string): Secret {
  const [, , nonce = '', tag = '', text = ''] = sealed.split('.');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
    .setAAD(Buffer.from(context))
    .setAuthTag(Buffer.from(tag, 'base64url'));
  const plain = Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]);
  return new Secret(plain.toString('utf8'));
}

/** The key that seals from now on, and those whose seals are still opened. */
export type SealingKeys = readonly [current: Buffer, ...others: Buffer[]];

/**
 * AES-256-GCM: `v1.<key id>.<nonce>.<tag>.<ciphertext>`, base64url. The keys are asked for anew before each sealing, so
 * that nothing is sealed with one that is being retired, and when a text names one that is not known yet.
 */
export const sealerReading = (read: () => SealingKeys): Sealer => {
  let keys = read();
  refuseOtherSizes(keys);
  const keyFor = (sealed: string) => keys.find((key) => sealed.startsWith(sealedPrefix(key)));
  return {
    seal(secret, context) {
      keys = read();
      return sealWith(keys[0], secret, context);
    },
    unseal(sealed, context) {
      const [version, sealedWith] = sealed.split('.');
      if (version !== format) throw new Error(`Unknown sealed format ${String(version)}.`);
      if (!keyFor(sealed)) keys = read();
      const key = keyFor(sealed);
      if (key) return unsealWith(key, sealed, context);
      const held = keys.map(keyIdOf).join(', ');
      throw new Error(`Sealed with key ${String(sealedWith)}, but this server holds ${held}.`);
    },
  };
};

/** Seals with the current key and opens what any of them sealed. */
export const sealerWithKeys = (current: Buffer, others: readonly Buffer[]): Sealer =>
  sealerReading(() => [current, ...others]);

export const sealerWithKey = (key: Buffer): Sealer => sealerWithKeys(key, []);

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

/** A value that is never printed: not in logs, JSON or errors. */
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

/** Encrypts secrets for storage. A secret sealed for one `context` cannot be unsealed in another. */
export interface Sealer {
  seal(secret: Secret, context: string): string;
  unseal(sealed: string, context: string): Secret;
}

const format = 'v1';

const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** By key: every text that is unsealed asks for them. */
const prefixes = new WeakMap<Buffer, string>();

/** Prefix of all texts sealed with this key. */
export function sealedPrefix(key: Buffer): string {
  const prefix = prefixes.get(key) ?? `${format}.${keyIdOf(key)}.`;
  prefixes.set(key, prefix);
  return prefix;
}

function checkKeySizes(keys: readonly Buffer[]): void {
  for (const { length } of keys)
    if (length !== 32) throw new Error(`The sealing key must be 32 bytes; this one has ${length}.`);
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

/** The key that seals, and older keys that still unseal. */
export type SealingKeys = readonly [current: Buffer, ...others: Buffer[]];

/**
 * AES-256-GCM: `v1.<key id>.<nonce>.<tag>.<ciphertext>`, base64url. Reads the keys again before each sealing, so that
 * nothing is sealed with a key that is being retired, and when a text names an unknown key.
 */
export const sealerReading = (read: () => SealingKeys): Sealer => {
  let keys = read();
  checkKeySizes(keys);
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
      const known = keys.map(keyIdOf).join(', ');
      throw new Error(`Sealed with key ${String(sealedWith)}, but this server has only ${known}.`);
    },
  };
};

/** Seals with the current key and unseals with any of them. */
export const sealerWithKeys = (current: Buffer, others: readonly Buffer[]): Sealer =>
  sealerReading(() => [current, ...others]);

export const sealerWithKey = (key: Buffer): Sealer => sealerWithKeys(key, []);

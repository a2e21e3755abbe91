import type { SealingKeys } from '../../basics/secret.ts';
import type { Database } from '../../store/database/database.ts';
import { listMeta, setMetaOnce } from '../../store/database/meta.ts';
import { isSignedBy, keyIdOf, publicPartOf, signingKeyOf, signText } from './checkpoint-key.ts';

const prefix = 'audit key ';

interface SignedKey {
  publicPart: string;
  signedBy: string;
  signature: string;
}

const signedTextOf = (publicPart: string): string => `audit key ${publicPart}`;

/**
 * The current key signs the public parts of older keys, so that their checkpoints can be verified when the older keys are gone. Call
 * it while the older keys are known: at start and during a rotation.
 */
export async function vouchForOlderKeys(
  { query }: Database,
  [current, ...older]: SealingKeys,
): Promise<void> {
  const key = signingKeyOf(current);
  const signedBy = keyIdOf(publicPartOf(key));
  for (const each of older) {
    const publicPart = publicPartOf(signingKeyOf(each));
    const value: SignedKey = { publicPart, signedBy, signature: signText(key, signedTextOf(publicPart)) };
    await setMetaOnce(query, `${prefix}${keyIdOf(publicPart)} by ${signedBy}`, JSON.stringify(value));
  }
}

/** Public parts by id: of the given keys, and of every key that one of them vouches for, directly or through another. */
export async function trustedKeys(
  { query }: Database,
  sealingKeys: readonly Buffer[],
): Promise<Map<string, string>> {
  const own = sealingKeys.map((key) => publicPartOf(signingKeyOf(key)));
  const trusted = new Map(own.map((publicPart) => [keyIdOf(publicPart), publicPart]));
  const vouched = (await listMeta(query, prefix)).map((text) => JSON.parse(text) as SignedKey);
  for (let before = -1; before !== trusted.size; ) {
    before = trusted.size;
    for (const { publicPart, signedBy, signature } of vouched) {
      const signer = trusted.get(signedBy);
      if (signer && isSignedBy(signer, signedTextOf(publicPart), signature))
        trusted.set(keyIdOf(publicPart), publicPart);
    }
  }
  return trusted;
}

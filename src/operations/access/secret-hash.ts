import { createHash, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

const generatedPrefix = 'sha256:';

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** For what a person chose and might guess: argon2id, off the main thread. */
export const hashChosen = (secret: string): Promise<string> => hash(secret);

/** For what we generated at random: nothing to guess, so a plain digest is safe and costs nothing. */
export const hashGenerated = (secret: string): string => generatedPrefix + digest(secret);

export const equalTexts = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(digest(a)), Buffer.from(digest(b)));

export async function matchesHash(secret: string, stored: string): Promise<boolean> {
  if (stored.startsWith(generatedPrefix)) return equalTexts(hashGenerated(secret), stored);
  return verify(stored, secret);
}

let decoy: Promise<string> | undefined;

/** Spends the time a real check takes, so that an unknown name answers no faster than a wrong password. */
export async function equalizeTiming(secret: string): Promise<void> {
  decoy ??= hashChosen('nobody');
  await verify(await decoy, secret);
}

import { hash as hashOnce, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { RunHash } from './hash-queue.ts';

const generatedPrefix = 'sha256:';

export const digest = (text: string): string => hashOnce('sha256', text, 'hex');

/** For secrets chosen by people, which can be guessed: argon2id, off the main thread, in a queue because it is expensive. */
export const hashChosen = (run: RunHash, secret: string): Promise<string> => run(() => hash(secret));

/** For randomly generated secrets, which cannot be guessed: a plain digest is safe and cheap. */
export const hashGenerated = (secret: string): string => generatedPrefix + digest(secret);

export const equalTexts = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(digest(a)), Buffer.from(digest(b)));

/** Whether the secret of this hash is random. */
export const isGenerated = (stored: string): boolean => stored.startsWith(generatedPrefix);

export async function matchesHash(run: RunHash, secret: string, stored: string): Promise<boolean> {
  if (isGenerated(stored)) return equalTexts(hashGenerated(secret), stored);
  return run(() => verify(stored, secret));
}

let decoy: Promise<string> | undefined;

/** Takes as long as a real check, so that the response time does not reveal whether a name exists. */
export const equalizeTiming = async (run: RunHash, secret: string): Promise<void> => {
  await run(async () => {
    decoy ??= hash('nobody');
    return verify(await decoy, secret);
  });
};

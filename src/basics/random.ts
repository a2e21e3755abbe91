import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Cryptographically random letters and digits. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => alphanumerics[randomInt(alphanumerics.length)]).join('');

/** For names that must only differ: much cheaper than a text of letters and digits. */
export const randomId = (): string => randomUUID().replaceAll('-', '').slice(0, 20);

export const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);

/** A random element. */
export const randomChoice = <T>(choices: readonly T[]): T => choices[randomInt(choices.length)] as T;

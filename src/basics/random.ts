import { randomBytes, randomInt } from 'node:crypto';

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Cryptographically random letters and digits. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => alphanumerics[randomInt(alphanumerics.length)]).join('');

export const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);

/** A random element. */
export const randomChoice = <T>(choices: readonly T[]): T => choices[randomInt(choices.length)] as T;

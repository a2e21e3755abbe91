import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Cryptographically random letters and digits. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => alphanumerics[randomInt(alphanumerics.length)]).join('');

const processId = randomUUID().replaceAll('-', '').slice(0, 12);
let lastId = randomInt(2 ** 31);

/** For names that must only differ, between servers too. They can be guessed: much cheaper than random ones. */
export const differentId = (): string => {
  lastId = (lastId + 1) % 2 ** 32;
  return processId + lastId.toString(16).padStart(8, '0');
};

export const randomHex = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);

/** A random element. */
export const randomChoice = <T>(choices: readonly T[]): T => choices[randomInt(choices.length)] as T;

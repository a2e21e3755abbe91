import { crc32 } from 'node:zlib';
import { entryOf } from '../basics/entry-of.ts';
import { randomHex, randomText } from '../basics/random.ts';

/** All identifiers and physical names are formed here, so that they can be formed again after a crash. */

const regionCodes: Readonly<Record<string, string>> = {
  'ap-northeast-1': 'tk',
  'ap-northeast-2': 'kr',
  'us-east-1': 'nv',
  'us-west-1': 'nc',
  'cn-north-1': 'bj',
};

const regionCode = (region: string): string => entryOf(regionCodes, region) ?? 'tk';

export const newAccountId = (): string => randomHex(13);
export const newStackId = (accountId: string, region: string): string =>
  `mo-${accountId}-${randomText(9)}-${regionCode(region)}`;
export const newClientId = (accountId: string): string => `lg-${accountId}-${randomText(9)}-tm`;
export const newStoreId = (accountId: string): string => `data-${accountId}-${randomText(9)}`;
export const newVersionId = (): string => randomText(32);
export const newAuthToken = (): string => randomText(30);
export const newClientSecret = (): string => randomText(30);
export const newTokenId = (): string => randomText(12);
export const newRoleId = (accountId: string): string => `morole-${accountId}-${randomText(9)}-tk`;
export const newUserRoleId = (accountId: string): string => `mour-${accountId}-${randomText(9)}-tk`;
/** With letters of both kinds and digits: some clouds refuse a password without one of them. */
export function newDatabasePassword(): string {
  const password = randomText(30);
  const isMixed = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password));
  return isMixed ? password : newDatabasePassword();
}
export const newHookId = (): string => randomText(24);
/** With a prefix, so that secret scanners recognize it. */
export const newHookSecret = (): string => `almh_${randomText(43)}`;
export const newAccessToken = (): string => `alm_${randomText(43)}`;
export const looksLikeToken = (text: string): boolean => /^alm[pr]?_/.test(text);

/** What `docker login` stores. Valid for the registry only. */
const registryPrefix = 'almr_';
export const newRegistryRefreshToken = (): string => registryPrefix + randomText(43);
export const isRegistryRefreshToken = (text: string): boolean => text.startsWith(registryPrefix);

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const personalPrefix = 'almp_';
const personalLength = 36;

/** CRC-32 of the text in six characters of base 62, most significant first. */
const checksum = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let count = 0; count < 6; count += 1) {
    digits = (base62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

/** The prefix and the checksum let secret scanners recognize a leaked token without a request. */
export const newPersonalToken = (): string => {
  const text = personalPrefix + randomText(personalLength);
  return text + checksum(text);
};

export const isPersonalToken = (text: string): boolean =>
  text.startsWith(personalPrefix) &&
  text.length === personalPrefix.length + personalLength + 6 &&
  checksum(text.slice(0, -6)) === text.slice(-6);

/** The account in the id of a stack; empty: the id has another form. */
export const accountOfStack = (stackId: string): string => /^mo-(.+)-[^-]+-[^-]+$/.exec(stackId)?.[1] ?? '';

export const isStackId = (id: string): boolean => id.startsWith('mo-');

export const keyPairName = (stackId: string, flag: string): string => `${stackId}-${flag}`;

/** A layer's flag in the form that vendors accept inside resource names. */
export const resourceSuffix = (flag: string): string => flag.replaceAll(/[^A-Za-z0-9]/g, '');
/** The name of a database, cache or layer as its stores of data have it. */
export const storeName = (name: string): string => resourceSuffix(name).toLowerCase();

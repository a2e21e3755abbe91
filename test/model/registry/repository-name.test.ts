import { describe, expect, it } from 'vitest';
import {
  accountPrefix,
  isBelow,
  isRepositoryName,
  namespaceOf,
  namespaceOfUser,
  ownerOf,
} from '../../../src/model/registry/repository-name.ts';

const first = '0123456789abc';
const other = 'fedcba9876543';

describe('names of repositories', () => {
  it.each(['ann/shop', 'shop', 'ann/shop/web', 'a.b_c__d--e/f', `${other}.bob/app`, 'a'.repeat(255)])(
    '%s is accepted, as the registry accepts it',
    (name) => expect(isRepositoryName(name)).toBe(true),
  );

  it.each([
    '',
    '/',
    'ann/',
    '/ann',
    'ann//shop',
    'Ann/shop',
    'ann/.shop',
    'ann/..',
    'a___b',
    'a b',
    'a:b',
    'a@b',
    'ann/shop\n',
    'a'.repeat(256),
  ])('%j is rejected, as the registry rejects it', (name) => expect(isRepositoryName(name)).toBe(false));

  it('have the namespace before the first slash', () => {
    expect(namespaceOf('ann/shop/web')).toBe('ann');
    expect(namespaceOf('shop')).toBe('shop');
  });
});

describe('the owner of a repository', () => {
  it('is the account whose id starts its name, whether the account exists or not', () => {
    expect(ownerOf(`${other}.bob/app`, first)).toBe(other);
    expect(ownerOf('aaaaaaaaaaaaa.x/y', first)).toBe('aaaaaaaaaaaaa');
  });

  it('is the first account for every other name', () => {
    for (const name of ['ann/shop', 'shop', other, `${other}/app`, `ann/${other}.bob`, `${other}a.bob/app`])
      expect(ownerOf(name, first)).toBe(first);
  });

  it('has names that start with its prefix', () => {
    expect(accountPrefix(first, first)).toBe('');
    expect(ownerOf(`${accountPrefix(other, first)}bob/app`, first)).toBe(other);
  });
});

describe('the namespace of a user', () => {
  it('is the username in the first account, and has the account id before it in others', () => {
    expect(namespaceOfUser({ accountId: first, username: 'ann' }, first)).toBe('ann');
    expect(namespaceOfUser({ accountId: other, username: 'ann' }, first)).toBe(`${other}.ann`);
  });

  it('does not exist for a name that the registry does not accept', () => {
    for (const username of ['Ann', 'ann@example.com', 'ann smith', '-ann', 'ann/shop', ''])
      for (const accountId of [first, other])
        expect(namespaceOfUser({ accountId, username }, first)).toBeNull();
  });

  it('does not exist for a user of the first account whose name looks like one of another account', () => {
    expect(namespaceOfUser({ accountId: first, username: `${other}.bob` }, first)).toBeNull();
  });

  it('covers what is below it, but not names that only start alike', () => {
    expect(isBelow('ann/shop', 'ann')).toBe(true);
    expect(isBelow('anna/shop', 'ann')).toBe(false);
    expect(isBelow('ann', 'ann')).toBe(false);
  });
});

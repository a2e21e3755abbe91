import { expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { RegionCache } from '../../../src/vendors/shared/region-cache.ts';

const secret = new Secret('hush');

/** A cache that counts how often a region was made. */
function countingCache() {
  const cache = new RegionCache<object>();
  const made = new Map<string, number>();
  const use = (accountId: string, name: string): object =>
    cache.get({ accountId, credentialId: 'c', secret, role: null, authUrl: null }, { name, also: '' }, () => {
      made.set(`${accountId} ${name}`, (made.get(`${accountId} ${name}`) ?? 0) + 1);
      return {};
    });
  return { use, timesMade: (accountId: string, name: string) => made.get(`${accountId} ${name}`) };
}

it('an account with any number of regions does not push out the regions of other accounts', () => {
  const { use, timesMade } = countingCache();
  for (let i = 0; i < 20; i += 1) use(`tenant${i}`, 'RegionOne');
  for (let i = 0; i < 5000; i += 1) use('greedy', `made-up-${i}`);
  for (let i = 0; i < 20; i += 1) {
    use(`tenant${i}`, 'RegionOne');
    expect(timesMade(`tenant${i}`, 'RegionOne')).toBe(1);
  }
});

it('among the regions of one account, the one that is in use stays', () => {
  const { use, timesMade } = countingCache();
  for (let i = 0; i < 5000; i += 1) {
    use('one', 'RegionOne');
    use('one', `made-up-${i}`);
  }
  expect(timesMade('one', 'RegionOne')).toBe(1);
});

it('at most 1000 regions are kept', () => {
  const { use, timesMade } = countingCache();
  for (let i = 0; i <= 1000; i += 1) use(`tenant${i % 7}`, `region-${i}`);
  for (let i = 1000; i >= 0; i -= 1) use(`tenant${i % 7}`, `region-${i}`);
  const again = Array.from({ length: 1001 }, (_, i) => timesMade(`tenant${i % 7}`, `region-${i}`));
  expect(again.filter((times) => times === 2)).toHaveLength(1);
});

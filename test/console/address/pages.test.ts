import { expect, it } from 'vitest';
import { addressOf, pages } from '../../../src/console/address/pages.ts';

it('an address has its parameters encoded, and its empty search values left out', () => {
  expect(addressOf(pages.stack, { id: 'a/b?c' })).toBe('/stack/a%2Fb%3Fc');
  expect(addressOf(pages.versions, { id: 'x' }, { from: '1', to: undefined })).toBe(
    '/stack/x/versions?from=1',
  );
  expect(addressOf(pages.stacks)).toBe('/');
});

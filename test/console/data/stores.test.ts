import { expect, it, vi } from 'vitest';
import { commandOf, filtersOf } from '../../../src/console/data/stores.ts';

vi.hoisted(() => vi.stubGlobal('location', new URL('http://almanac.test/console/')));

it('the filters of the address are those that the service knows', () => {
  expect(filtersOf({ state: 'kept', kind: 'cache', stack_id: 'mo-1', other: 'x' })).toEqual({
    state: 'kept',
    kind: 'cache',
    stack_id: 'mo-1',
  });
  expect(filtersOf({ state: 'all' })).toEqual({ state: 'all' });
  expect(filtersOf({ state: 'nonsense', kind: 'toString' })).toEqual({});
});

it('the list of data is shown as a command with the same filters', () => {
  expect(commandOf({})).toBe('alm data list');
  expect(commandOf({ stack_id: 'mo-1', kind: 'database' })).toBe(
    'alm data list --stack mo-1 --kind database',
  );
});

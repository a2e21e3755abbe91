import { expect, it } from 'vitest';
import { endOf } from '../../../src/data/end-of-store.ts';

type Args = Parameters<typeof endOf>;

const store = {
  id: 'data-1',
  kind: 'database',
  version_id: 'v1',
  store_id: 'db-1',
  resource: 'DB',
  resource_type: 'Database',
} as Args[0];

const seenAbsent = (wasDone: boolean): Args[2] => ({
  stack: { settled_version: null, desired_version: 'v1' } as Args[2]['stack'],
  observation: { kind: 'absent' } as Args[2]['observation'],
  intent: 'v1',
  kept: [],
  now: 1,
  wasDone,
});

it.each([
  ['was undone with it, if the vendor never completed the stack', false, 'gone'],
  ['is lost, if the vendor completed the stack, also if its containers never served', true, 'lost'],
])('a database that vanishes with its stack %s', (_, wasDone, state) => {
  expect(endOf(store, [], seenAbsent(wasDone)).values).toMatchObject({ state });
});

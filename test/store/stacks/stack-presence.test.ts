import { expect, it } from 'vitest';
import { presenceOfStacks } from '../../../src/store/stacks/stack-presence.ts';
import { openTestDatabase } from '../../open-database.ts';
import { insertAccounts, makeStack } from './make-stack.ts';

it('the store tells stacks that exist, in any state, from deleted ones and from those that it does not know', async () => {
  const database = await openTestDatabase();
  const { query } = database;
  await insertAccounts(query, 'account1', 'account2');
  await makeStack(query, { id: 'mo-1-a-tk' });
  await makeStack(query, { id: 'mo-2-a-tk', account_id: 'account2', status: 'DELETE_FAILED' });
  await makeStack(query, { id: 'mo-3-a-tk', status: 'DELETE_COMPLETE', deleted_at: 2000 });
  const others = Array.from({ length: 1200 }, (_, index) => `mo-x${index}-a-tk`);
  const found = await presenceOfStacks(query, ['mo-1-a-tk', ...others, 'mo-2-a-tk', 'mo-3-a-tk']);
  await database.close();
  expect(Object.fromEntries(found)).toEqual({
    'mo-1-a-tk': 'exists',
    'mo-2-a-tk': 'exists',
    'mo-3-a-tk': 'deleted',
  });
});

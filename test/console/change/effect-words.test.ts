import { expect, it } from 'vitest';
import { generalWarnings, inOrder, stayingWords, wordsOf } from '../../../src/console/change/effect-words.ts';

it('what the service says of the whole change is shown; what it says of one resource is shown there only', () => {
  const change = {
    action: 'replace' as const,
    resource: 'Web0',
    resource_type: 'Instance',
    members: ['instanceType'],
    warning: 'Data that is only on its disk is lost.',
  };
  const whole = 'The cloud could not be reached; the changes are computed from the templates alone.';
  const single = 'Instance Web0 would be replaced. Data that is only on its disk is lost.';
  expect(generalWarnings({ changes: [change], warnings: [whole, single], data: [] })).toEqual([whole]);
  expect(generalWarnings({ changes: [{ ...change, warning: '' }], warnings: [whole], data: [] })).toEqual([
    whole,
  ]);
});

it('what an update does not touch is counted, unless it names resources that the stack does not have', () => {
  const change = { resource_type: 'Instance', members: [], warning: '' };
  const replaced = { ...change, action: 'replace' as const, resource: 'Web0' };
  const added = { ...change, action: 'add' as const, resource: 'Web1' };
  expect(stayingWords(['Web0', 'Group', 'Role'], [replaced, added])).toBe('2 stay as they are');
  expect(stayingWords(['Web0', 'Group'], [replaced])).toBe('1 stays as it is');
  expect(stayingWords(['i-0', 'Group'], [replaced])).toBe('');
});

it('what becomes of data is said once, beside the change that removes it, and in place of its warning', () => {
  const sentence = 'DatabaseInstance App (db-1) is removed. Its data is kept: in a snapshot.';
  const removed = {
    action: 'remove' as const,
    resource: 'App',
    resource_type: 'DatabaseInstance',
    members: [],
    warning: 'Its data is lost.',
  };
  const added = { ...removed, action: 'add' as const, resource: 'Web', warning: '' };
  const store = {
    id: 'data-1',
    resource: 'App',
    resource_type: 'DatabaseInstance',
    kind: 'database',
    store_id: 'db-1',
    action: 'remove' as const,
    confirm: ['data=keep', 'data=delete'],
    sentence,
    sentences: [sentence, 'DatabaseInstance App (db-1) is removed. Its data is deleted.'],
  };
  const preview = { changes: [added, removed], warnings: [sentence], data: [store] };
  expect(wordsOf(removed, [store])).toEqual([sentence]);
  expect(generalWarnings(preview)).toEqual([]);
  expect(generalWarnings({ ...preview, changes: [added] })).toEqual([sentence]);
  expect(inOrder(preview)).toEqual([removed, added]);
});

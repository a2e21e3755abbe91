import { expect, it } from 'vitest';
import { generalWarnings, stayingWords } from '../../../src/console/change/effect-words.ts';

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
  expect(generalWarnings({ changes: [change], warnings: [whole, single] })).toEqual([whole]);
  expect(generalWarnings({ changes: [{ ...change, warning: '' }], warnings: [whole] })).toEqual([whole]);
});

it('what an update does not touch is counted, unless it names resources that the stack does not have', () => {
  const change = { resource_type: 'Instance', members: [], warning: '' };
  const replaced = { ...change, action: 'replace' as const, resource: 'Web0' };
  const added = { ...change, action: 'add' as const, resource: 'Web1' };
  expect(stayingWords(['Web0', 'Group', 'Role'], [replaced, added])).toBe('2 stay as they are');
  expect(stayingWords(['Web0', 'Group'], [replaced])).toBe('1 stays as it is');
  expect(stayingWords(['i-0', 'Group'], [replaced])).toBe('');
});

import { expect, it } from 'vitest';
import { generalWarnings } from '../../../src/console/change/effect-words.ts';

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

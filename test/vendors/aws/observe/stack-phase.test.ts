import { StackStatus } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { phaseOf } from '../../../../src/vendors/aws/observe/stack-phase.ts';

const all = Object.values(StackStatus).filter((status) => status !== StackStatus.DELETE_COMPLETE);

describe('CloudFormation status', () => {
  it.each(all.filter((status) => status.endsWith('_IN_PROGRESS') && !status.startsWith('REVIEW')))(
    '%s is busy, and Almanac waits',
    (status) => expect(phaseOf(status)).toMatchObject({ kind: 'busy', move: 'wait' }),
  );

  it.each(all.filter((status) => status.endsWith('_FAILED')))('%s is broken', (status) =>
    expect(phaseOf(status).kind).toBe('broken'),
  );

  it.each([
    ['CREATE_COMPLETE', 'settled', 'update'],
    ['UPDATE_COMPLETE', 'settled', 'update'],
    ['ROLLBACK_COMPLETE', 'broken', 'recreate'],
    ['UPDATE_ROLLBACK_COMPLETE', 'broken', 'update'],
    ['UPDATE_ROLLBACK_FAILED', 'broken', 'finish-rollback'],
    ['REVIEW_IN_PROGRESS', 'broken', 'recreate'],
  ])('%s is %s; the next move is %s', (status, kind, move) =>
    expect(phaseOf(status)).toMatchObject({ kind, move }),
  );

  it('waits for an unknown status to change', () => {
    expect(phaseOf('UNKNOWN_IN_PROGRESS')).toMatchObject({ kind: 'busy', move: 'wait' });
  });
});

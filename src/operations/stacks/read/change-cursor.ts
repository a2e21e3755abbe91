import { Failure } from '../../../basics/failure.ts';

/**
 * A cursor names a moment: what changed at that moment or later comes after it. It is earlier than the reading it belongs to by
 * more than transactions last and clocks of servers differ, so that nothing is missed. Some changes come twice, as whole rows.
 */
const overlapMs = 60_000;

/** How long deleted stacks are remembered for those who follow. */
export const longestAbsenceMs = 60 * 60_000;

/** The cursor of what is read from now on. */
export const cursorAt = (now: number): string => String(Math.max(0, now - overlapMs));

export const momentOf = (cursor: string, now: number): number => {
  const moment = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isNaN(moment) || moment > now + overlapMs)
    throw new Failure('invalid_request', 'after is not a cursor of this service', {
      description:
        'Pass the Alm-Cursor header of the list of stacks, or the id of the last event, unchanged.',
    });
  if (moment < now - longestAbsenceMs)
    throw new Failure('invalid_request', 'after is too old: deletions since then are no longer known', {
      description: 'Load the list of stacks again, and pass its Alm-Cursor header.',
    });
  return moment;
};

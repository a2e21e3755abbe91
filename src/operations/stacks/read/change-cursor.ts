import { Failure } from '../../../basics/failure.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { digest } from '../../access/secret-hash.ts';

/**
 * A cursor names a moment: what changed at that moment or later comes after it. It is earlier than the reading it belongs to by
 * more than transactions last and clocks of servers differ, so that nothing is missed. Some changes come twice, as whole rows.
 * It also names the rights that it was read with: other rights show and hide stacks that did not change.
 */
const overlapMs = 60_000;

/** How long deleted stacks are remembered for those who follow. */
export const longestAbsenceMs = 60 * 60_000;

/** Everything that decides which stacks the actor sees; the same for all its tokens. */
export const rightsOf = (actor: Actor): string => {
  const who = [actor.accountId, actor.kind, nameOf(actor), actor.kind === 'client' && actor.clientKind];
  const roles =
    actor.kind === 'user'
      ? [actor.master, actor.roles, actor.tokenRoles]
      : [actor.kind === 'client' && actor.roles];
  return digest(JSON.stringify([who, roles])).slice(0, 16);
};

/** The cursor of what is read from now on. */
export const cursorAt = (now: number, rights: string): string => `${Math.max(0, now - overlapMs)}-${rights}`;

const reload = 'Load the list of stacks again, and pass its Alm-Cursor header.';

/** The moment of a cursor, for those who have the rights that it was read with. */
export const momentOf = (cursor: string, { now, rights }: { now: number; rights: string }): number => {
  const [, digits, readWith] = /^(\d{1,15})-([0-9a-f]{16})$/.exec(cursor) ?? [];
  const moment = Number(digits);
  if (Number.isNaN(moment) || moment > now + overlapMs)
    throw new Failure('invalid_request', 'after is not a cursor of this service', {
      description:
        'Pass the Alm-Cursor header of the list of stacks, or the id of the last event, unchanged.',
    });
  if (moment < now - longestAbsenceMs)
    throw new Failure('invalid_request', 'after is too old: deletions since then are no longer known', {
      description: reload,
    });
  if (readWith !== rights)
    throw new Failure('invalid_request', 'after is the cursor of other rights: your roles have changed', {
      description: reload,
    });
  return moment;
};

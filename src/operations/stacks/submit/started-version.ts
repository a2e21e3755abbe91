import type { StackRow } from '../../../store/stacks/stacks.ts';

type Tried = Pick<StackRow, 'desired_version' | 'settled_version' | 'refused_wish' | 'tried_wish'>;

/**
 * The version of which the vendor last began to make something: the desired one, unless the vendor refused it before it began.
 * A version that failed later counts, because parts of it may exist. No version if the vendor last began a deletion. Null:
 * nothing was ever made.
 */
export function startedVersion(stack: Tried): string | null {
  const {
    desired_version: desired,
    settled_version: settled,
    refused_wish: refused,
    tried_wish: tried,
  } = stack;
  const isUnmade = refused === desired && tried !== desired && settled !== desired;
  return isUnmade ? tried || settled : desired;
}

import { createHash } from 'node:crypto';
import type { CloudStack } from './list-stacks.ts';

/** What decides whether something read once for an operation of the stack is still right. */
export const stateKey = ({ rosId, status, updatedAt }: CloudStack): string =>
  `${rosId} ${status} ${updatedAt}`;

export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * ROS does not say which version an update in progress, or one that failed, is for. So it is noted in a tag before the update, with
 * the state in which the update was asked for: while the stack is still in that state, the update has not begun.
 */
export const noteOf = (version: string, from: CloudStack): string =>
  `${version}@${shortHash(stateKey(from))}`;

/** The version of the last update that began; undefined: none that was noted. */
export function triedVersion(stack: CloudStack): string | undefined {
  const [, version, state] = /^(.+)@([0-9a-f]{8})$/.exec(stack.note) ?? [];
  return version === undefined || state === shortHash(stateKey(stack)) ? undefined : version;
}

/** Whether an update was noted that has not begun: the note of the update before it is lost. */
export const isNotedOnly = (stack: CloudStack): boolean =>
  stack.note !== '' && triedVersion(stack) === undefined;

/** An update to the version that the stack already has adds or removes this mark, so that ROS sees a change. */
const againMark = '/again';
export const markedVersion = (version: string, current: string): string =>
  current === version ? `${version}${againMark}` : version;
export const plainVersion = (raw: string): string => raw.replace(againMark, '');

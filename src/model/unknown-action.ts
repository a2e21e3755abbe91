import { actions } from './actions.ts';

/** How many letters two words share at their beginnings and ends: a slip is mostly in one place. */
const shared = (one: string, other: string): number => {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return start + end;
};

/** The action a mistyped one was probably meant to be, or null when none is close. */
const closestAction = (text: string): string | null => {
  const word = text.toLowerCase();
  const ranked = actions
    .map((action) => ({ action, near: shared(word, action.toLowerCase()) }))
    .toSorted((one, other) => other.near - one.near);
  const [best] = ranked;
  return best && best.near * 2 > Math.max(word.length, best.action.length) ? best.action : null;
};

/** A sentence about an action that fits none of those this service has. */
export const unknownAction = (text: string): string => {
  const meant = closestAction(text);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  return `"${text.slice(0, 60)}" is no action of this service${hint || '.'}`;
};

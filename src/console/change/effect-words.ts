import type { Preview } from './preview.ts';

export type Change = Preview['changes'][number];
type Action = Change['action'];

const order: readonly Action[] = ['add', 'change', 'replace', 'remove'];

const done: Readonly<Record<Action, string>> = {
  add: 'added',
  change: 'changed',
  replace: 'replaced',
  remove: 'removed',
};

/** 2 added, 1 replaced; actions that do not occur are left out. */
export const countsOf = (changes: readonly Change[]): { action: Action; text: string }[] =>
  order.flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count > 0 ? [{ action, text: `${count} ${done[action]}` }] : [];
  });

/** How much of a stack stays: "18 stay as they are". Empty if its resources are not those that the changes name. */
export function stayingWords(existing: readonly string[], changes: readonly Change[]): string {
  const touched = changes.filter(({ action }) => action !== 'add').map(({ resource }) => resource);
  if (touched.some((name) => !existing.includes(name))) return '';
  const count = existing.length - new Set(touched).size;
  return count === 1 ? '1 stays as it is' : `${count} stay as they are`;
}

export const keyOf = ({ action, resource }: Change): string => `${action} ${resource}`;

type Planned = Pick<Preview, 'changes' | 'warnings' | 'data'>;

const removes = ({ action }: Change): boolean => action === 'replace' || action === 'remove';

/** What the service says of one change: what becomes of the data, or else its warning. */
export function wordsOf(change: Change, data: Planned['data']): string[] {
  const sentences = data
    .filter(({ resource }) => removes(change) && resource === change.resource)
    .map(({ sentence }) => sentence);
  return sentences.length > 0 ? sentences : [change.warning].filter((text) => text !== '');
}

/** What the service says of the changes as a whole. Its words about single ones are shown beside them, and only there. */
export const generalWarnings = ({ changes, warnings, data }: Planned): string[] =>
  warnings.filter(
    (text) =>
      !changes.some(
        (change) =>
          (change.warning !== '' && text.endsWith(change.warning)) || wordsOf(change, data).includes(text),
      ),
  );

/** The dangerous ones first. */
export const inOrder = ({ changes, data }: Planned): Change[] => {
  const isDangerous = (change: Change): number => Number(removes(change) && wordsOf(change, data).length > 0);
  return changes.toSorted(
    (a, b) => isDangerous(b) - isDangerous(a) || order.indexOf(b.action) - order.indexOf(a.action),
  );
};

type Cost = Preview['cost'];

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);

const between = (
  { at_minimum: low, at_maximum: high }: { at_minimum: number; at_maximum: number },
  currency: string,
) => (low === high ? money(low, currency) : `${money(low, currency)} – ${money(high, currency)}`);

/** One sentence about the monthly cost. */
export function costWords({ kind, currency = 'USD', after, difference }: Cost): string {
  if (kind === 'free') return 'The vendor charges nothing';
  if (kind === 'simulated') return 'Simulated: nothing is charged';
  if (kind === 'unknown' || !after) return 'The vendor has no price list';
  const total = `${between(after, currency)} a month${after.unknown === 'none' ? '' : ', without what has no known price'}`;
  if (!difference || (difference.at_minimum === 0 && difference.at_maximum === 0)) return total;
  const sign = difference.at_maximum < 0 ? '' : '+';
  return `${total} (${sign}${between(difference, currency)})`;
}

import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { addressOf, pages } from '../address/pages.ts';
import type { IconName } from '../parts/page/icons.tsx';
import { whyNoUpdate } from '../parts/status/status.ts';
import { placeOf } from '../stacks/filter.ts';

export interface Entry {
  id: string;
  label: string;
  /** At the right: what kind of thing it is. */
  kind: string;
  icon: IconName;
  /** Further words that find it. */
  words: string;
  run: () => void;
  /** The palette stays: what it runs is shown in its place. */
  stays?: true;
}

export const stackEntries = (rows: readonly StackSummary[], go: (to: string) => void): Entry[] =>
  rows.map((row) => ({
    id: row.stack_id,
    label: row.nickname,
    kind: placeOf(row),
    icon: 'stacks',
    words: row.stack_id,
    run: () => go(addressOf(pages.stack, { id: row.stack_id })),
  }));

/** What can be done with the stack whose page is open. Each leads to a page that shows the effect first. */
export function actsOnStack(
  row: Pick<StackSummary, 'stack_id' | 'nickname' | 'stack_status' | 'interface'>,
  go: (to: string) => void,
): Entry[] {
  const { stack_id: id, nickname, stack_status: status } = row;
  const to = (
    page: (typeof pages)['edit' | 'versions' | 'instances' | 'stackData' | 'settings'],
    label: string,
  ): Entry => ({
    id: `${page} ${id}`,
    label: `${label} ${nickname}`,
    kind: 'action',
    icon: 'stacks',
    words: 'this stack',
    run: () => go(addressOf(page, { id })),
  });
  return [
    ...(whyNoUpdate(status) ? [] : [to(pages.edit, 'Edit')]),
    ...(row.interface === 'v3' ? [to(pages.versions, 'Compare versions of')] : []),
    to(pages.instances, 'See instances of'),
    to(pages.stackData, 'See data of'),
    to(pages.settings, 'Delete'),
  ];
}

/** 0: does not match. Earlier and whole words count more. */
function scoreOf({ label, kind, words }: Pick<Entry, 'label' | 'kind' | 'words'>, query: string): number {
  const name = label.toLowerCase();
  if (query === '') return 1;
  if (name === query) return 100;
  if (name.startsWith(query)) return 80;
  if (name.split(/[\s-]/).some((word) => word.startsWith(query))) return 60;
  if (name.includes(query)) return 40;
  const parts = query.split(/\s+/);
  const all = `${name} ${kind} ${words}`.toLowerCase();
  return parts.every((part) => all.includes(part)) ? 20 : 0;
}

const shown = 30;

/** The best entries for what was typed. */
export function bestEntries(entries: readonly Entry[], typed: string): Entry[] {
  const query = typed.trim().toLowerCase();
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, query) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, shown)
    .map(({ entry }) => entry);
}

import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { isUnwell } from '../parts/status/health.ts';

export const views = ['all', 'attention', 'working', 'drifted'] as const;
export type View = (typeof views)[number];

type Row = Pick<
  StackSummary,
  | 'nickname'
  | 'stack_id'
  | 'stack_status'
  | 'health'
  | 'vendor'
  | 'region'
  | 'cred'
  | 'username'
  | 'drift'
  | 'version'
>;

/** The cloud of the stack: the vendor, or the sandbox in its place. */
const cloudOf = ({ vendor, cred }: Pick<Row, 'vendor' | 'cred'>): string =>
  cred === 'SANDBOX' ? 'sandbox' : vendor;

/** sandbox · ap-northeast-1 */
export const placeOf = (row: Pick<Row, 'vendor' | 'cred' | 'region'>): string =>
  [cloudOf(row), row.region].filter(Boolean).join(' · ');

export const isFailed = ({ stack_status }: Pick<Row, 'stack_status'>): boolean =>
  stack_status.endsWith('_FAILED');

/** It failed, or its application does not serve everywhere. */
export const isInTrouble = (row: Pick<Row, 'stack_status' | 'health'>): boolean =>
  isFailed(row) || isUnwell(row.health, row.stack_status);

const isWorking = ({ stack_status }: Pick<Row, 'stack_status'>): boolean =>
  stack_status.endsWith('_IN_PROGRESS');

export const isDrifted = ({ drift }: Pick<Row, 'drift'>): boolean => drift?.state === 'drifted';

const belongs: Readonly<Record<View, (row: Row) => boolean>> = {
  all: () => true,
  attention: (row) => isInTrouble(row) || isDrifted(row),
  working: isWorking,
  drifted: isDrifted,
};

export const inView = <T extends Row>(rows: readonly T[], view: View): readonly T[] =>
  view === 'all' ? rows : rows.filter(belongs[view]);

const fields: Readonly<Record<string, (row: Row) => string>> = {
  vendor: (row) => `${row.vendor} ${cloudOf(row)}`,
  region: ({ region }) => region,
  by: ({ username, version }) => `${username} ${version.created_by}`,
  status: ({ stack_status }) => stack_status,
  health: ({ health }) => health,
  version: ({ version }) => version.label,
};

export const filterFields = Object.keys(fields);

const textOf = (row: Row): string =>
  [row.nickname, row.stack_id, placeOf(row), row.vendor, row.version.label].join(' ').toLowerCase();

type Test = (row: Row) => boolean;

/** `vendor:aws` asks for one field, other words for the name, the id, the place or the version. */
function testOf(word: string): Test {
  const [, name = '', value = ''] = /^(\w+):(.*)$/.exec(word) ?? [];
  const field = fields[name];
  if (field) return (row) => field(row).toLowerCase().includes(value);
  return (row) => textOf(row).includes(word);
}

/** Rows that match every word of the filter. */
export function matching<T extends Row>(rows: readonly T[], filter: string): readonly T[] {
  const tests = filter.toLowerCase().split(/\s+/).filter(Boolean).map(testOf);
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

const urgency = (row: Row): number => (isInTrouble(row) ? 0 : isWorking(row) ? 1 : isDrifted(row) ? 2 : 3);

/** What needs attention first; otherwise the order of the list. */
export function byUrgency<T extends Row>(rows: readonly T[]): readonly T[] {
  const groups: readonly T[][] = [[], [], [], []];
  for (const row of rows) groups[urgency(row)]?.push(row);
  return groups.flat();
}

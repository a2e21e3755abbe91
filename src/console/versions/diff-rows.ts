import type { SuccessOf } from '../../contract/route.ts';
import type { compareTemplates } from '../../contract/v3/versions.ts';

export type Compared = SuccessOf<typeof compareTemplates>;

export interface DiffRow {
  path: string;
  before: string | null;
  after: string | null;
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The difference of the service as rows, in the order of their paths. */
export function diffRows({ new: added, removed, edited }: Compared['diff']): DiffRow[] {
  const gone = Array.isArray(removed) ? [] : Object.entries(removed);
  const rows = [
    ...added
      .flatMap((entry) => Object.entries(entry))
      .map(([path, value]) => ({ path, before: null, after: written(value) })),
    ...gone.map(([path, value]) => ({ path, before: written(value), after: null })),
    ...Object.entries(edited).map(([path, { oldvalue, newvalue }]) => ({
      path,
      before: written(oldvalue),
      after: written(newvalue),
    })),
  ];
  return rows.toSorted((a, b) => a.path.localeCompare(b.path));
}

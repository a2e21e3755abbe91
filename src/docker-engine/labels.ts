import type { LabelFilter } from './container-types.ts';

/** The `filters` of a list. */
export const labelQuery = (
  labels: LabelFilter,
  more: Record<string, string[]> = {},
): { filters: string } => ({
  filters: JSON.stringify({
    ...more,
    label: Object.entries(labels).map(([key, value]) => (value === null ? key : `${key}=${value}`)),
  }),
});

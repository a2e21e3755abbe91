import type { LabelFilter } from './container-types.ts';

/** The `filters` parameter of a list request. */
export const labelQuery = (
  labels: LabelFilter,
  more: Record<string, string[]> = {},
): { filters: string } => ({
  filters: JSON.stringify({
    ...more,
    label: Object.entries(labels).map(([key, value]) => (value === null ? key : `${key}=${value}`)),
  }),
});

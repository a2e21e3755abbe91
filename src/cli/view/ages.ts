import type { Table } from './table.ts';

const units = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** `42s`, `3m`, `2h`, `5d`, `1y`: rounded down. */
function shortDuration(seconds: number): string {
  for (const [unit, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`;
  return `${Math.max(0, Math.floor(seconds))}s`;
}

/** `3m ago`; `in 3m` for a time to come. */
export const ageOf = (time: number, now: number): string =>
  time > now ? `in ${shortDuration((time - now) / 1000)}` : `${shortDuration((now - time) / 1000)} ago`;

/** What `tableTime` writes. */
const writtenTime = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:UTC|[+-]\d{4})$/;

/** The table with ages in place of times, for people. */
export const withAges = (table: Table, now: number): Table => ({
  ...table,
  rows: table.rows.map((row) =>
    row.map((cell) => (writtenTime.test(cell) ? ageOf(Date.parse(cell), now) : cell)),
  ),
});

import { oneLine, type Paint, toneOfStatus } from './colour.ts';

export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Titles of the columns that a narrow terminal shows first, the most important first. The others follow in their order. */
  priority?: readonly string[];
}

/** Number of terminal columns a text takes. */
export type WidthOf = (text: string) => number;

/** Printable ASCII and white space, which `oneLine` reduces to single spaces. */
const isAscii = (text: string): boolean => /^[\s!-~]*$/.test(text);

/** Loads `string-width` only for text beyond ASCII, to keep start-up fast. */
export async function widthFor({ rows }: Table): Promise<WidthOf> {
  if (rows.every((row) => row.every(isAscii))) return ({ length }) => length;
  return (await import('string-width')).default;
}

/**
 * Columns five spaces apart, the header always present, the last column not padded: programs that parse the tables of
 * the older client can parse these.
 */
export function formatTable(
  { header, rows, gap = 5 }: Table & { gap?: number },
  widthOf: WidthOf,
  paint: Paint,
): string {
  const cleanRows = rows.map((row) => row.map(oneLine));
  const widths = header.map((title, column) =>
    cleanRows.reduce((max, row) => Math.max(max, widthOf(row[column] ?? '')), widthOf(title)),
  );
  const formatRow = (row: readonly string[], isHeader: boolean): string =>
    row
      .map((cell, column) => {
        const tone = isHeader ? 'strong' : toneOfStatus(cell);
        const painted = tone ? paint(tone, cell) : cell;
        return column === header.length - 1
          ? painted
          : painted + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
      })
      .join(' '.repeat(gap));
  return [formatRow(header, true), ...cleanRows.map((row) => formatRow(row, false))]
    .map((line) => `${line}\n`)
    .join('');
}

/** `Mon, 02 Jan 2006 15:04:05 +0900`; text that is not a time is returned unchanged. */
export function tableTime(text: string): string {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (!found) return text;
  const [, local = '', offset = ''] = found;
  const time = new Date(`${local}Z`).toUTCString().replace('GMT', '');
  return `${time}${offset === 'Z' ? 'UTC' : offset.replace(':', '')}`;
}

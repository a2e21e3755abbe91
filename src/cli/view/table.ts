import { oneLine, type Paint, toneOfStatus } from './colour.ts';

const gap = '     ';

/** Combining signs take no place, East Asian ones two: columns must stand below each other. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const sign of text) {
    if (/\p{Mark}/u.test(sign)) continue;
    width +=
      /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u.test(
        sign,
      )
        ? 2
        : 1;
  }
  return width;
};

/**
 * Columns five spaces apart, the header always there, the last column not padded: programs that read the older
 * client's tables read these.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const clean = rows.map((row) => row.map(oneLine));
  const widths = header.map((title, column) =>
    clean.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(title)),
  );
  const lineOf = (row: readonly string[], isHeader: boolean): string =>
    row
      .map((cell, column) => {
        const tone = isHeader ? 'strong' : toneOfStatus(cell);
        const shown = tone ? paint(tone, cell) : cell;
        return column === header.length - 1
          ? shown
          : shown + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
      })
      .join(gap);
  return [lineOf(header, true), ...clean.map((row) => lineOf(row, false))]
    .map((line) => `${line}\n`)
    .join('');
}

/** `Mon, 02 Jan 2006 15:04:05 +0900`; what is no time is shown as it is. */
export function tableTime(text: string): string {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (!found) return text;
  const [, local = '', offset = ''] = found;
  const shown = new Date(`${local}Z`).toUTCString().replace('GMT', '');
  return `${shown}${offset === 'Z' ? 'UTC' : offset.replace(':', '')}`;
}

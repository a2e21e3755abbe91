import { oneLine, toneOfStatus } from './colour.ts';
import type { Table, WidthOf } from './table.ts';

/** Between columns where the table is wider than the terminal. */
const narrowGap = 2;
/** A cut cell keeps this much: enough to tell ids from each other. */
const leastWidth = 12;
const ellipsis = '…';

/** The first characters that fit. */
function head(characters: readonly string[], width: number, widthOf: WidthOf): string[] {
  const taken: string[] = [];
  let left = width;
  for (const character of characters) {
    left -= widthOf(character);
    if (left < 0) break;
    taken.push(character);
  }
  return taken;
}

/** Cuts ids in the middle, because their ends differ, and sentences at the end. */
export function cut(cell: string, width: number, widthOf: WidthOf): string {
  if (widthOf(cell) <= width) return cell;
  const characters = Array.from(new Intl.Segmenter().segment(cell), ({ segment }) => segment);
  if (width <= 1) return head(characters, width, widthOf).join('');
  const room = width - 1;
  if (cell.includes(' ')) return head(characters, room, widthOf).join('') + ellipsis;
  const start = head(characters, Math.ceil(room / 2), widthOf);
  const end = head(characters.toReversed(), Math.floor(room / 2), widthOf).toReversed();
  return [...start, ellipsis, ...end].join('');
}

interface Column {
  index: number;
  /** Width of the widest cell. */
  natural: number;
  least: number;
}

/** The columns, the most important first. */
function columnsOf({ header, rows, priority = [] }: Table, widthOf: WidthOf): Column[] {
  const rankOf = (title: string): number =>
    priority.includes(title) ? priority.indexOf(title) : priority.length;
  return header
    .map((title, index) => {
      const cells = rows.map((row) => row[index] ?? '');
      const natural = Math.max(...[title, ...cells].map(widthOf));
      const isStatus = cells.some((cell) => toneOfStatus(cell) !== undefined);
      const least = isStatus ? natural : Math.min(natural, Math.max(leastWidth, widthOf(title)));
      return { index, title, natural, least };
    })
    .toSorted((one, other) => rankOf(one.title) - rankOf(other.title));
}

/** The width of each column that is shown, by its number: as many columns as fit, then as much of each as fits. */
function chooseWidths(columns: readonly Column[], room: number): ReadonlyMap<number, number> {
  const shown: Column[] = [];
  let left = room;
  for (const column of columns) {
    const needed = column.least + (shown.length > 0 ? narrowGap : 0);
    if (needed > left && shown.length > 0) break;
    shown.push(column);
    left -= needed;
  }
  const widths = new Map<number, number>();
  for (const { index, natural, least } of shown) {
    const more = Math.min(natural - least, left);
    widths.set(index, Math.max(1, least + more));
    left -= Math.max(0, more);
  }
  return widths;
}

interface Fitted {
  table: Table;
  /** Spaces between columns. */
  gap: number;
  /** Titles of columns that are left out. */
  hidden: readonly string[];
}

/** The table as it fits on a terminal: unchanged if it does, or else with less space, cut cells, and without some columns. */
export function fitTable(table: Table, widthOf: WidthOf, room: number): Fitted {
  const clean = { ...table, rows: table.rows.map((row) => row.map(oneLine)) };
  const columns = columnsOf(clean, widthOf);
  const widthWith = (gap: number): number =>
    columns.reduce((sum, { natural }) => sum + natural, gap * (columns.length - 1));
  for (const gap of [5, narrowGap]) if (widthWith(gap) <= room) return { table: clean, gap, hidden: [] };
  const widths = chooseWidths(columns, room);
  const fit = (row: readonly string[]): string[] =>
    row.flatMap((cell, index) => {
      const width = widths.get(index);
      return width === undefined ? [] : [cut(cell, width, widthOf)];
    });
  return {
    table: { header: fit(clean.header), rows: clean.rows.map(fit) },
    gap: narrowGap,
    hidden: clean.header.filter((_title, index) => !widths.has(index)),
  };
}

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { after } from '../clock.ts';
import styles from './table-window.module.css';
import { visibleRange } from './visible-range.ts';

interface WindowProps<T> {
  label: string;
  rows: readonly T[];
  rowHeight: number;
  keyOf: (row: T) => string;
  draw: (row: T, index: number) => ReactNode;
  /** Index of a row that must be visible. */
  show?: number | undefined;
}

type Range = readonly [first: number, last: number];

/** At least so many pixels of the screen are above a list. */
const above = 160;

/** What fits on the screen: drawing more would delay it. */
const firstRange = (rowHeight: number): Range => [
  0,
  Math.max(0, Math.ceil((innerHeight - above) / rowHeight)),
];

/** How long rows beyond the screen wait, so that those on it are drawn first. In milliseconds. */
const patience = 200;

const isWithin = ([first, last]: Range, [from, to]: Range): boolean => from <= first && last <= to;

interface Rows {
  count: number;
  rowHeight: number;
}

/** The rows to draw: those on the screen at once, those near it soon after. */
function useRange(list: RefObject<HTMLElement | null>, { count, rowHeight }: Rows): Range {
  const [range, setRange] = useState(() => firstRange(rowHeight));
  const drawn = useRef(range);
  useEffect(() => {
    const near = (margin?: number): Range => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      return visibleRange({ top, screen: innerHeight, rowHeight, count }, margin);
    };
    const update = (): void => {
      const [next, old] = [near(), drawn.current];
      if (isWithin(next, old) && isWithin(old, next)) return;
      drawn.current = next;
      setRange(next);
    };
    const cancel = isWithin(near(0), drawn.current) ? after(patience, update) : update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      cancel?.();
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [list, count, rowHeight]);
  return range;
}

/** A list of rows with one height, of which only those near the screen exist. It scrolls with the page. */
export const TableWindow = <T,>({ label, rows, rowHeight, keyOf, draw, show }: WindowProps<T>) => {
  const list = useRef<HTMLUListElement>(null);
  const [first, last] = useRange(list, { count: rows.length, rowHeight });
  useEffect(() => {
    if (show === undefined || !list.current) return;
    const top = list.current.getBoundingClientRect().top + show * rowHeight;
    if (top < 120 || top + rowHeight > innerHeight - 80) scrollBy({ top: top - innerHeight / 2 });
  }, [show, rowHeight]);
  return (
    <ul ref={list} aria-label={label} className={styles.window} style={{ height: rows.length * rowHeight }}>
      {rows.slice(first, last).map((row, index) => (
        <li
          key={keyOf(row)}
          aria-setsize={rows.length}
          aria-posinset={first + index + 1}
          style={{ top: (first + index) * rowHeight, height: rowHeight }}
        >
          {draw(row, first + index)}
        </li>
      ))}
    </ul>
  );
};

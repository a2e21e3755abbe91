import { type ReactNode, useEffect, useRef, useState } from 'react';
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

/** What fits on the screen: drawing more would delay it. */
const firstRange = (rowHeight: number): readonly [number, number] => [0, Math.ceil(innerHeight / rowHeight)];

/** A list of rows with one height, of which only those near the screen exist. It scrolls with the page. */
export const TableWindow = <T,>({ label, rows, rowHeight, keyOf, draw, show }: WindowProps<T>) => {
  const list = useRef<HTMLUListElement>(null);
  const [[first, last], setRange] = useState(() => firstRange(rowHeight));
  useEffect(() => {
    const measure = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const range = visibleRange({ top, screen: innerHeight, rowHeight, count: rows.length });
      setRange((old) => (old[0] === range[0] && old[1] === range[1] ? old : range));
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [rows.length, rowHeight]);
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

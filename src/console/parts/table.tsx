import type { ReactNode } from 'react';
import styles from './table.module.css';

interface Column<T> {
  /** Heading, and the label of the value on a narrow screen. */
  title: string;
  cell: (row: T) => ReactNode;
  /** Numbers and actions are at the right. */
  end?: boolean;
}

interface TableProps<T> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table that becomes a list of cards where it is narrow. For long lists see table-window. */
export const Table = <T,>({ label, columns, rows, keyOf }: TableProps<T>) => (
  <div className={styles.holder}>
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, end }) => (
            <th key={title} scope="col" className={end ? styles.end : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, end }) => (
              <td key={title} data-title={title} className={end ? styles.end : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

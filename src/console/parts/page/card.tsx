import type { ReactNode } from 'react';
import styles from './card.module.css';

interface CardProps {
  title?: ReactNode;
  /** At the right of the title. */
  aside?: ReactNode;
  tone?: 'bad' | 'warn';
  /** Without inner space: for tables. */
  flush?: boolean;
  children: ReactNode;
}

export const Card = ({ title, aside, tone, flush = false, children }: CardProps) => (
  <section className={`${styles.card} ${tone ? styles[tone] : ''} ${flush ? styles.flush : ''}`}>
    {(title || aside) && (
      <header className={styles.head}>
        {title && <h2>{title}</h2>}
        {aside && <div className={styles.aside}>{aside}</div>}
      </header>
    )}
    {children}
  </section>
);

/** Cards side by side where there is room; the first column is wide. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

/** Things in a row that wrap. */
export const Row = ({ children, spread = false }: { children: ReactNode; spread?: boolean }) => (
  <div className={spread ? styles.spread : styles.row}>{children}</div>
);

/** Things below each other. */
export const Stack = ({ children }: { children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);

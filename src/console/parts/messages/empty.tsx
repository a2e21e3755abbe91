import type { ReactNode } from 'react';
import { AsCommand } from '../acts/copy.tsx';
import { Moon } from '../page/icons.tsx';
import styles from './empty.module.css';

interface EmptyProps {
  /** What the thing is. */
  title: string;
  /** Why you would want it. */
  children: ReactNode;
  /** One button. */
  action?: ReactNode;
  /** The same as an `alm` command. */
  command?: string;
}

export const Empty = ({ title, children, action, command }: EmptyProps) => (
  <div className={styles.empty}>
    <Moon size={36} />
    <h2>{title}</h2>
    <div className={styles.text}>{children}</div>
    {action}
    {command && <AsCommand command={command} />}
  </div>
);

/** While data is on its way. Appears late, so that fast answers do not flicker. */
export const Loading = ({ what }: { what: string }) => (
  <p className={styles.loading} role="status">
    Loading {what} …
  </p>
);

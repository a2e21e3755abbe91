import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './tabs.module.css';

export interface Tab {
  to: string;
  label: ReactNode;
  count?: number | undefined;
}

const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** Tabs are links: each has its own address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const [path] = useLocation();
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ to, label: text, count }) => (
        <Link key={to} to={to} aria-current={pathOf(to) === path ? 'page' : undefined}>
          {text}
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  );
};

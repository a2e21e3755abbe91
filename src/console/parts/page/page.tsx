import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** Title of the browser's tab, if it says more. */
  tab?: string | undefined;
  /** Before the title. */
  mark?: ReactNode;
  /** Below the title. */
  about?: ReactNode;
  /** At the right of the title. */
  actions?: ReactNode;
  /** The pages above this one. */
  above?: readonly { to: string; label: string }[];
  children: ReactNode;
}

/** Every screen is one of these: where it is, its title, its actions, its content. */
export const Page = ({ title, tab = title, mark, about, actions, above = [], children }: PageProps) => {
  useEffect(() => {
    document.title = `${tab} · Almanac`;
  }, [tab]);
  return (
    <div className={styles.page}>
      {above.length > 0 && (
        <nav aria-label="Above this page" className={styles.above}>
          {above.map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <header className={styles.head}>
        {mark}
        <div className={styles.title}>
          <h1 tabIndex={-1}>{title}</h1>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
};

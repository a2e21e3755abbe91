import type { ReactNode } from 'react';
import { useLiveness } from './live-state.ts';
import styles from './stale.module.css';

/** What the page can not keep current looks so. Renders each second; its content does not. */
export const Stale = ({ children }: { children: ReactNode }) => (
  <div className={useLiveness().state === 'stopped' ? styles.stale : undefined}>{children}</div>
);

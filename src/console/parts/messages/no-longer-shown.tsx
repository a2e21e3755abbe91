import styles from './no-longer-shown.module.css';

/** Above what someone typed about a stack that the service does not show any more. */
export const NoLongerShown = ({ kept }: { kept: string }) => (
  <p role="status" className={styles.gone}>
    This stack was deleted, or your roles do not show it to you any more. What you typed is kept {kept}.
  </p>
);

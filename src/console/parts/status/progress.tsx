import styles from './progress.module.css';

interface ProgressProps {
  label: string;
  /** From 0 to 1. */
  done: number;
}

export const Progress = ({ label, done }: ProgressProps) => {
  const percent = Math.round(Math.max(0, Math.min(1, done)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={styles.bar}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
};

import { readStatus, type Tone } from './status.ts';
import styles from './status-phase.module.css';

/** A status is a shape first, a word second, a colour third. */
export const Phase = ({ tone, size = 14 }: { tone: Tone; size?: number }) => (
  <svg className={styles[tone]} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    {shapes[tone]}
  </svg>
);

const ring = <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" strokeWidth="1.4" />;

const shapes = {
  good: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.8 8.2 7 10.4l4.2-4.6" className={styles.cut} strokeWidth="1.8" />
    </>
  ),
  work: (
    <>
      {ring}
      <path d="M8 1.4a6.6 6.6 0 0 1 0 13.2a8.5 8.5 0 0 0 0-13.2z" fill="currentColor" />
    </>
  ),
  bad: (
    <>
      <path d="M8 .8 15.2 8 8 15.2.8 8z" fill="currentColor" />
      <path d="M8 4.6v4M8 10.9v.3" className={styles.cut} strokeWidth="1.9" />
    </>
  ),
  warn: (
    <>
      {ring}
      <path d="M8 1.4a6.6 6.6 0 0 0 0 13.2z" fill="currentColor" />
    </>
  ),
  none: (
    <circle
      cx="8"
      cy="8"
      r="6.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeDasharray="2.2 2.4"
    />
  ),
} satisfies Record<Tone, unknown>;

interface PillProps {
  tone: Tone;
  children: React.ReactNode;
}

export const Pill = ({ tone, children }: PillProps) => (
  <span className={`${styles.pill} ${styles[tone]} ${styles[`${tone}Ground`] ?? ''}`}>
    <Phase tone={tone} />
    {children}
  </span>
);

export const StatusPill = ({ status }: { status: string }) => {
  const { tone, word } = readStatus(status);
  return <Pill tone={tone}>{word}</Pill>;
};

import { readStatus, type Tone } from './status.ts';
import styles from './status-phase.module.css';

/** A status is a shape first, a word second, a colour third. */
export const Phase = ({ tone, size = 14 }: { tone: Tone; size?: number }) => (
  <svg className={styles[tone]} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    {shapes[tone]}
  </svg>
);

/** A disc with a check cut out, 16 wide: one element, and many of them can be one too. */
export const checkAt = (x: number, y: number): string =>
  `M${x + 8} ${y + 1}a7 7 0 1 0 0 14a7 7 0 0 0 0-14zm-2.6 6.6 1.6 1.5 3.5-3.9 1.4 1.2-4.9 5.3-2.8-2.9z`;

const check = { d: checkAt(0, 0), fill: 'currentColor', fillRule: 'evenodd' } as const;

export const toneClass = (tone: Tone): string => styles[tone] ?? '';

/** The same inside of a drawing, 16 wide. */
export const PhaseShape = ({ tone, x, y }: { tone: Tone; x: number; y: number }) => (
  <g className={styles[tone]} transform={`translate(${x} ${y})`}>
    {shapes[tone]}
  </g>
);

const ring = <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" strokeWidth="1.4" />;

const shapes = {
  good: <path {...check} />,
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

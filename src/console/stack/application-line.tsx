import { isUnwell, readHealth } from '../parts/status/health.ts';
import type { Tone } from '../parts/status/status.ts';
import { Pill } from '../parts/status/status-phase.tsx';
import { isFailed, type StackNow } from './data/stack-now.ts';
import styles from './frame.module.css';

/** An application that does not serve needs a person more than a request that is complete. */
export const toneOfTrouble = (stack: StackNow): Tone | undefined =>
  !isFailed(stack) && isUnwell(stack.health, stack.status)
    ? readHealth(stack.health, stack.status)?.tone
    : undefined;

/** That the stack goes back, and whether its application serves, each with the reason. */
export const ApplicationLine = ({ stack }: { stack: StackNow }) => {
  const { doing, doingReason, health, healthReason, status } = stack;
  const reading = readHealth(health, status);
  const isReturning = doing === 'returning';
  if (!reading && !isReturning) return null;
  return (
    <span className={styles.about}>
      {isReturning && <Pill tone="warn">Returning</Pill>}
      {isReturning && doingReason && <span>{doingReason}</span>}
      {reading && <Pill tone={reading.tone}>{reading.word}</Pill>}
      {reading && healthReason && <span>{healthReason}</span>}
    </span>
  );
};

import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { span } from '../parts/reading/time-words.ts';

export interface TimeLeft {
  /** 1 min 40 s left */
  words: string;
  /** usually 2 min 10 s–3 min 30 s */
  usual: string;
  /** From 0 to 1. */
  done: number;
}

/** Time left of the operation in progress, as far as past operations show. */
export function timeLeft(operation: NonNullable<StackSummary['operation']>, now: number): TimeLeft {
  const passed = now - Date.parse(operation.started_at);
  const { expected } = operation;
  if (!expected) return { words: `for ${span(passed)}`, usual: '', done: 0.1 };
  const [usually, longest] = [expected.p50_seconds * 1000, expected.p90_seconds * 1000];
  const left = usually - passed;
  return {
    words: left > 0 ? `${span(left)} left` : passed <= longest ? 'almost done' : 'longer than usual',
    usual: `usually ${span(usually)}–${span(longest)}`,
    done: Math.min(0.97, passed / Math.max(usually, 1)),
  };
}

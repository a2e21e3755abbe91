import type { ReactNode } from 'react';
import { useTimeWords } from '../../clock.ts';
import { ago, exactTime } from './time-words.ts';

interface MomentProps {
  time: number;
  children: ReactNode;
}

/** Words about a time. The exact one appears when the pointer is on them: writing it for every row would delay the page. */
export const Moment = ({ time, children }: MomentProps) => (
  <time
    dateTime={new Date(time).toISOString()}
    onPointerEnter={({ currentTarget }) => {
      currentTarget.title = exactTime(time);
    }}
  >
    {children}
  </time>
);

/** A time relative to now, with the exact one as its title. */
export const When = ({ at }: { at: string | number }) => {
  const time = typeof at === 'number' ? at : Date.parse(at);
  const words = useTimeWords((now) => ago(time, now));
  return Number.isNaN(time) ? <span>{at}</span> : <Moment time={time}>{words}</Moment>;
};

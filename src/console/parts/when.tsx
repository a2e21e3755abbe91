import { useNow } from '../clock.ts';
import { ago, exactTime } from './time-words.ts';

/** A time relative to now, with the exact one as its title. */
export const When = ({ at }: { at: string | number }) => {
  const now = useNow();
  const time = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(time)) return <span>{at}</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {ago(time, now)}
    </time>
  );
};

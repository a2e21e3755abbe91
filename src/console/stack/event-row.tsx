import { timeOfDay } from '../parts/reading/time-words.ts';
import { Moment } from '../parts/reading/when.tsx';
import type { Tone } from '../parts/status/status.ts';
import { Phase } from '../parts/status/status-phase.tsx';
import { type StackEvent, statusAfter, tones } from '../picture/resource.ts';
import styles from './event-row.module.css';

const toneOf = (event: StackEvent): Tone => {
  if (event.kind === 'trouble') return 'warn';
  const status = statusAfter(event);
  return status && event.kind !== 'request' ? tones[status] : 'none';
};

/** One event on one line: time, phase, what, words. */
export const EventRow = ({ event }: { event: StackEvent }) => {
  const time = Date.parse(event.time);
  return (
    <div className={styles.event} data-event={event.event_id}>
      <Moment time={time}>{timeOfDay(time)}</Moment>
      <Phase tone={toneOf(event)} />
      <p>
        {event.resource && <strong>{event.resource} </strong>}
        {event.message}
        {event.status.endsWith('_FAILED') && <span className="unseen"> failed</span>}
      </p>
    </div>
  );
};

import { useNow } from '../clock.ts';
import { span } from '../parts/time-words.ts';
import styles from './live-pill.module.css';
import { useLiveness } from './live-state.ts';

/** Says whether what the page shows is current. */
export const LivePill = () => {
  const liveness = useLiveness();
  const time = useNow();
  const words = {
    live: 'Live',
    reconnecting: 'Reconnecting …',
    stopped: liveness.state === 'stopped' ? `Stopped ${span(time - liveness.since)} ago` : '',
  };
  return (
    <span className={`${styles.pill} ${styles[liveness.state]}`} data-live={liveness.state}>
      {words[liveness.state]}
      {/* Only changes of the state are read aloud, not every second. */}
      <span role="status" className="unseen">
        {liveness.state === 'live' ? 'The page is live' : 'The page is not live'}
      </span>
    </span>
  );
};

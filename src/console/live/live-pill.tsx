import { useNow } from '../clock.ts';
import { span } from '../parts/reading/time-words.ts';
import styles from './live-pill.module.css';
import { useLiveness } from './live-state.ts';

const aloud = {
  live: 'The page is live',
  reconnecting: 'The page is not live',
  stopped: 'The page is not live',
  off: 'The page is not live: your roles do not allow you to follow the stacks',
};

/** Says whether what the page shows is current. */
export const LivePill = () => {
  const liveness = useLiveness();
  const time = useNow();
  const words = {
    live: 'Live',
    reconnecting: 'Reconnecting …',
    off: 'Not live',
    stopped: liveness.state === 'stopped' ? `Stopped ${span(time - liveness.since)} ago` : '',
  };
  return (
    <span
      className={`${styles.pill} ${styles[liveness.state]}`}
      data-live={liveness.state}
      title={liveness.state === 'off' ? aloud.off : undefined}
    >
      {words[liveness.state]}
      {/* Only changes of the state are read aloud, not every second. */}
      <span role="status" className="unseen">
        {aloud[liveness.state]}
      </span>
    </span>
  );
};

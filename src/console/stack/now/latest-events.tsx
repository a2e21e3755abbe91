import { Link } from 'wouter';
import { addressOf, pages } from '../../address/pages.ts';
import { Card } from '../../parts/page/card.tsx';
import { useEvents } from '../data/follow-stack.ts';
import { EventRow } from '../event-row.tsx';
import styles from './latest-events.module.css';

const shown = 12;

/** The last events, newest first. */
export const LatestEvents = ({ stackId }: { stackId: string }) => {
  const events = useEvents(stackId).slice(-shown).toReversed();
  return (
    <Card title="Events" aside={<Link to={addressOf(pages.events, { id: stackId })}>All events</Link>}>
      {events.length === 0 && <p className={styles.none}>Nothing has happened yet.</p>}
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={event.event_id}>
            <EventRow event={event} />
          </li>
        ))}
      </ol>
    </Card>
  );
};

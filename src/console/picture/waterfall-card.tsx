import { useState } from 'react';
import { Button } from '../parts/acts/button.tsx';
import { Card } from '../parts/page/card.tsx';
import { span } from '../parts/reading/time-words.ts';
import type { Bar, Waterfall } from './waterfall.ts';
import styles from './waterfall-card.module.css';

/** The longest ones say where the time goes. */
const shownAtFirst = 12;

const lengthOf = ({ from, to }: Bar): number => to - from;

function longest(bars: readonly Bar[]): Set<string> {
  const sorted = bars.toSorted(
    (a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad') || lengthOf(b) - lengthOf(a),
  );
  return new Set(sorted.slice(0, shownAtFirst).map(({ name }) => name));
}

const words = (bar: Bar): string => {
  if (bar.isExpected) return `~${span(lengthOf(bar))}`;
  return bar.tone === 'work' ? `${span(lengthOf(bar))} …` : span(lengthOf(bar));
};

const Row = ({ bar, length }: { bar: Bar; length: number }) => (
  <li className={styles.row}>
    <span className={styles.name} title={bar.name}>
      {bar.name}
    </span>
    <span className={styles.track}>
      <span
        className={`${styles.bar} ${styles[bar.tone]}`}
        style={{ left: `${(100 * bar.from) / length}%`, width: `${(100 * lengthOf(bar)) / length}%` }}
      />
    </span>
    <span className={styles.time}>
      {words(bar)}
      {bar.isExpected && <span className="unseen"> expected</span>}
      {bar.tone === 'bad' && <span className="unseen"> failed</span>}
    </span>
  </li>
);

export const WaterfallCard = ({ waterfall: { bars, length } }: { waterfall: Waterfall }) => {
  const [isOpen, setIsOpen] = useState(false);
  if (bars.length === 0) return null;
  const chosen = isOpen ? null : longest(bars);
  const rows = bars.filter(({ name }) => chosen === null || chosen.has(name));
  return (
    <Card title="Where the time goes" aside={`0 s – ${span(length)}`}>
      <ul className={styles.rows} aria-label="Resources by time">
        {rows.map((bar) => (
          <Row key={bar.name} bar={bar} length={length} />
        ))}
      </ul>
      {bars.length > shownAtFirst && (
        <Button small look="quiet" onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? `Only the ${shownAtFirst} longest` : `All ${bars.length} resources`}
        </Button>
      )}
    </Card>
  );
};

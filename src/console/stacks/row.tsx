import { memo } from 'react';
import { Link } from 'wouter';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useNow } from '../clock.ts';
import { span } from '../parts/reading/time-words.ts';
import { When } from '../parts/reading/when.tsx';
import { isUnwell, readHealth } from '../parts/status/health.ts';
import { Progress } from '../parts/status/progress.tsx';
import { Phase, Pill, StatusPill, toneClass } from '../parts/status/status-phase.tsx';
import { isDrifted, isFailed, placeOf } from './filter.ts';
import styles from './row.module.css';
import { timeLeft } from './time-left.ts';

const shownSquares = 12;

/** One square per instance; the words carry the same. */
const Instances = ({ running, wanted }: StackSummary['instances']) => {
  const total = Math.max(running, wanted);
  return (
    <span className={styles.instances}>
      <span aria-hidden="true" className={styles.squares}>
        {Array.from({ length: Math.min(total, shownSquares) }, (_, index) => (
          <i key={index} className={index < running ? styles.up : styles.down} />
        ))}
      </span>
      {running === wanted ? running : `${running} of ${wanted}`}
      <span className="unseen"> instances run</span>
    </span>
  );
};

const Working = ({
  operation,
  name,
}: {
  operation: NonNullable<StackSummary['operation']>;
  name: string;
}) => {
  const { words, usual, done } = timeLeft(operation, useNow());
  return (
    <div className={styles.working}>
      <strong>{words}</strong>
      <span>{usual}</span>
      <Progress label={`Progress of ${name}`} done={done} />
    </div>
  );
};

const Now = ({ row }: { row: StackSummary }) => {
  if (row.doing === 'undoing') return <span className={styles.bad}>{row.doing_reason}</span>;
  if (row.operation) return <Working operation={row.operation} name={row.nickname} />;
  if (isFailed(row)) return <span className={styles.bad}>{row.stack_status_reason}</span>;
  if (isUnwell(row.health, row.stack_status)) return <span className={styles.bad}>{row.health_reason}</span>;
  if (isDrifted(row)) return <span className={styles.warn}>Changed outside Almanac</span>;
  return (
    <span className={styles.faint}>
      changed <When at={row.update_time} />
    </span>
  );
};

const Status = ({ row }: { row: StackSummary }) => {
  if (row.doing === 'undoing') return <Pill tone="bad">Undoing</Pill>;
  return isDrifted(row) && !isFailed(row) && !row.operation ? (
    <Pill tone="warn">Drifted</Pill>
  ) : (
    <StatusPill status={row.stack_status} />
  );
};

/** Whether the application serves. The link of the row has the reason. */
const Application = ({ row: { health, stack_status } }: { row: StackSummary }) => {
  const reading = readHealth(health, stack_status);
  return (
    reading && (
      <span className={`${styles.health} ${toneClass(reading.tone)}`}>
        <Phase tone={reading.tone} size={12} /> {reading.word}
      </span>
    )
  );
};

/** Past updates do not tell how long it takes to go back. */
const Returning = ({ row: { operation, doing_reason } }: { row: StackSummary }) => {
  const now = useNow();
  const passed = operation ? `, for ${span(now - Date.parse(operation.started_at))}` : '';
  return <span className={styles.warn}>{`Going back${passed}. ${doing_reason}`}</span>;
};

const Row = ({ row }: { row: StackSummary }) => (
  <article className={styles.row}>
    <div className={styles.status}>
      <Status row={row} />
      <Application row={row} />
    </div>
    <div className={styles.name}>
      <Link
        to={addressOf(pages.stack, { id: row.stack_id })}
        data-row={row.stack_id}
        title={row.health_reason || undefined}
      >
        {row.nickname}
      </Link>
      <code>{row.stack_id}</code>
    </div>
    <div className={styles.where}>{placeOf(row)}</div>
    <div className={styles.count}>
      <Instances {...row.instances} />
    </div>
    <div className={styles.version}>
      <span>{row.version.label || 'no label'}</span>
      <small>
        <When at={row.version.last_modified} /> · {row.version.created_by}
      </small>
    </div>
    <div className={styles.now}>
      {row.doing === 'returning' ? <Returning row={row} /> : <Now row={row} />}
    </div>
  </article>
);

/** One stack. The whole row is the link. Drawn again only if the stack changed: the list draws itself again when it scrolls. */
export const StackRow = memo(Row);

export const RowHead = () => (
  <div className={styles.head} aria-hidden="true">
    {['Status', 'Name', 'Where', 'Instances', 'Version', 'Now'].map((title) => (
      <span key={title}>{title}</span>
    ))}
  </div>
);

import { useNow } from '../../clock.ts';
import { Card } from '../../parts/page/card.tsx';
import { span } from '../../parts/reading/time-words.ts';
import { When } from '../../parts/reading/when.tsx';
import { Progress } from '../../parts/status/progress.tsx';
import { readStatus } from '../../parts/status/status.ts';
import { withEvents } from '../../picture/resource.ts';
import { lastOperation } from '../../picture/waterfall.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, useEstimate, useResources, useVersions } from '../data/of-stack.ts';
import type { StackNow } from '../data/stack-now.ts';
import styles from './now.module.css';
import { countOf, timeLeft } from './progress-of.ts';

/** Updating to “four servers”, or back to what was before. */
const useTitle = (stack: StackNow): string => {
  const versions = useVersions(stack);
  const { word } = readStatus(stack.status);
  if (stack.status === 'DELETE_IN_PROGRESS' || stack.versionId === null) return word;
  const name = nameOfVersion(versions, stack.versionId);
  if (stack.status === 'CREATE_IN_PROGRESS') return `${word} ${name}`;
  // Only after a cancelled update is the current version not the newest one; after a failed one, its copy is.
  const isGoingBack =
    stack.doing === 'returning' || (versions[0] !== undefined && versions[0].version_id !== stack.versionId);
  return isGoingBack ? `Going back to ${name}` : `${word} to ${name}`;
};

const inMs = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * 1000;

const TimeLeft = ({ stack }: { stack: StackNow }) => {
  const { data, dataUpdatedAt } = useEstimate(stack);
  const now = useNow();
  if (!data || data.elapsed_seconds === null) return null;
  const elapsed = data.elapsed_seconds * 1000 + Math.max(0, now - dataUpdatedAt);
  // Past updates do not tell how long it takes to go back.
  const usual = stack.doing === 'returning' ? null : data;
  const [p50, p90] = [inMs(usual?.p50_seconds), inMs(usual?.p90_seconds)];
  const { kind, left } = timeLeft(elapsed, { p50, p90 });
  if (kind === 'unknown') return <span className={styles.usual}>{span(elapsed)} so far</span>;
  return (
    <span>
      <strong className={styles.left}>
        {kind === 'left' ? `about ${span(left)} left` : 'longer than usual'}
      </strong>{' '}
      <span className={styles.usual}>
        usually {span(p50 ?? 0)}
        {p90 !== null && span(p90) !== span(p50 ?? 0) && ` – ${span(p90)}`}
      </span>
    </span>
  );
};

/** Why something failed. What it had done is undone; when that is done, nobody knows. */
const Undoing = ({ stack, why }: { stack: StackNow; why: string }) => (
  <div className={styles.now}>
    <Card tone="bad">
      <div className={styles.words}>
        <h2 className={styles.title}>
          Undoing the {stack.status === 'CREATE_IN_PROGRESS' ? 'creation' : 'update'}
        </h2>
        <TimeLeft stack={stack} />
      </div>
      <p className={styles.reason}>{why}</p>
    </Card>
  </div>
);

/** What goes on, how far it is, and when it is done. */
const Ahead = ({ stack }: { stack: StackNow }) => {
  const title = useTitle(stack);
  const events = useEvents(stack.id);
  const { data } = useResources(stack);
  const { done, total } = countOf(data ? withEvents(data, events) : [], events);
  const [request] = lastOperation(events);
  return (
    <div className={styles.now}>
      <Card>
        <div className={styles.words}>
          <div>
            <h2 className={styles.title}>{title}</h2>
            <span className={styles.about}>
              {total > 0 && `${done} of ${total} resources`}
              {request && total > 0 && ' · '}
              {request && (
                <>
                  {request.message.replace(/\.$/, '')}, <When at={request.time} />
                </>
              )}
            </span>
          </div>
          <TimeLeft stack={stack} />
        </div>
        <Progress label={title} done={total > 0 ? done / total : 0} />
        {stack.reason && <p className={styles.reason}>{stack.reason}</p>}
      </Card>
    </div>
  );
};

export const Now = ({ stack }: { stack: StackNow }) =>
  stack.undoing === null ? <Ahead stack={stack} /> : <Undoing stack={stack} why={stack.undoing} />;

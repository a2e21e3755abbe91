import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { addressOf, pages } from '../address/pages.ts';
import { LinkButton } from '../parts/acts/button.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import { readHealth } from '../parts/status/health.ts';
import { readStatus } from '../parts/status/status.ts';
import { Phase } from '../parts/status/status-phase.tsx';
import styles from './attention.module.css';
import { isFailed, isInTrouble } from './filter.ts';

const shown = 3;

/** What helps against a failure. A change of the template would take the deletion back. */
const Remedy = ({ row: { stack_id: id, stack_status } }: { row: StackSummary }) =>
  stack_status === 'DELETE_FAILED' ? (
    <LinkButton small look="danger" to={addressOf(pages.settings, { id })}>
      Delete again
    </LinkButton>
  ) : (
    <LinkButton small look="main" to={addressOf(pages.edit, { id })}>
      Edit and retry
    </LinkButton>
  );

/** The failure of the last request, or of the application. */
const troubleOf = (row: StackSummary): { words: string; since: string | null; reason: string } =>
  isFailed(row)
    ? {
        words: readStatus(row.stack_status).word.toLowerCase(),
        since: row.update_time,
        reason: row.stack_status_reason,
      }
    : {
        words: readHealth(row.health, row.stack_status)?.word.toLowerCase() ?? '',
        since: null,
        reason: row.health_reason,
      };

const Problem = ({ row }: { row: StackSummary }) => {
  const { words, since, reason } = troubleOf(row);
  return (
    <Card tone="bad">
      <div className={styles.failed}>
        <Phase tone="bad" size={22} />
        <div className={styles.text}>
          <h2>
            {row.nickname}: {words} {since && <When at={since} />}
          </h2>
          <p>{reason}</p>
        </div>
        <Row>
          <LinkButton small to={addressOf(pages.stack, { id: row.stack_id })}>
            See what happened
          </LinkButton>
          {isFailed(row) && <Remedy row={row} />}
        </Row>
      </div>
    </Card>
  );
};

/** What failed or does not serve, with the reason and the remedy in place. */
export const Attention = ({ rows }: { rows: readonly StackSummary[] }) => {
  const troubled = rows.filter(isInTrouble);
  if (troubled.length === 0) return null;
  return (
    <div className={styles.attention}>
      <Stack>
        {troubled.slice(0, shown).map((row) => (
          <Problem key={row.stack_id} row={row} />
        ))}
      </Stack>
    </div>
  );
};

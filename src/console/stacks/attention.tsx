import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { addressOf, pages } from '../address/pages.ts';
import { LinkButton } from '../parts/acts/button.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { When } from '../parts/reading/when.tsx';
import { readStatus } from '../parts/status/status.ts';
import { Phase } from '../parts/status/status-phase.tsx';
import styles from './attention.module.css';
import { isFailed } from './filter.ts';

const shown = 3;

/** What helps. A change of the template would take the deletion back. */
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

const Failed = ({ row }: { row: StackSummary }) => (
  <Card tone="bad">
    <div className={styles.failed}>
      <Phase tone="bad" size={22} />
      <div className={styles.text}>
        <h2>
          {row.nickname}: {readStatus(row.stack_status).word.toLowerCase()} <When at={row.update_time} />
        </h2>
        <p>{row.stack_status_reason}</p>
      </div>
      <Row>
        <LinkButton small to={addressOf(pages.stack, { id: row.stack_id })}>
          See what happened
        </LinkButton>
        <Remedy row={row} />
      </Row>
    </div>
  </Card>
);

/** What failed, with the reason and the remedy in place. */
export const Attention = ({ rows }: { rows: readonly StackSummary[] }) => {
  const failed = rows.filter(isFailed);
  if (failed.length === 0) return null;
  return (
    <div className={styles.attention}>
      <Stack>
        {failed.slice(0, shown).map((row) => (
          <Failed key={row.stack_id} row={row} />
        ))}
      </Stack>
    </div>
  );
};

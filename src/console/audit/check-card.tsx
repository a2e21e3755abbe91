import { useMutation } from '@tanstack/react-query';
import type { SuccessOf } from '../../contract/route.ts';
import type { checkAudit } from '../../contract/v3/audit.ts';
import { call } from '../api/call.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import { commandOf, type Search } from './filters.ts';

const Result = ({ checked }: { checked: SuccessOf<typeof checkAudit> }) =>
  checked.is_intact ? (
    <Row>
      <Pill tone="good">Intact</Pill>
      <span>{checked.entries === 1 ? '1 entry' : `${checked.entries} entries`}, none was changed.</span>
    </Row>
  ) : (
    <Row>
      <Pill tone="bad">Not intact</Pill>
      <span>{checked.problem} Compare the log with an export or a backup from before.</span>
    </Row>
  );

/** Whether the log is what was recorded, and the same list and export as commands. */
export const CheckCard = ({ search }: { search: Search }) => {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call<typeof checkAudit>('GET', '/v3/audit/check', {}),
  });
  return (
    <Card
      title="Check the log"
      aside={
        <Button small off={isPending ? 'Checking …' : undefined} onClick={() => mutate()}>
          Check now
        </Button>
      }
    >
      <Stack>
        <p>
          The entries are a chain: each has the hash of the one before. A check finds the first entry that was
          changed, removed or moved.
        </p>
        <div aria-live="polite">{data && <Result checked={data} />}</div>
        {error && <ErrorCard error={error} onRetry={() => mutate()} />}
        <AsCommand command="alm audit check" />
        <p>The same list, and the same export, on the command line:</p>
        <AsCommand command={commandOf('list', search)} />
        <AsCommand command={`${commandOf('export', search)} --out audit.jsonl`} />
      </Stack>
    </Card>
  );
};

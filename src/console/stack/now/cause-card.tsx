import { Link } from 'wouter';
import { addressOf, pages } from '../../address/pages.ts';
import { Card, Stack } from '../../parts/page/card.tsx';
import { span } from '../../parts/reading/time-words.ts';
import { readStatus } from '../../parts/status/status.ts';
import { Phase } from '../../parts/status/status-phase.tsx';
import type { Resource, StackEvent } from '../../picture/resource.ts';
import { lastOperation } from '../../picture/waterfall.ts';
import { firstFailure, lastCompleteVersion } from '../data/event-list.ts';
import { useEvents } from '../data/follow-stack.ts';
import { nameOfVersion, useVersions } from '../data/of-stack.ts';
import type { StackNow } from '../data/stack-now.ts';
import styles from './cause-card.module.css';
import { Remedies } from './remedies.tsx';

const timeInto = (failure: StackEvent, events: readonly StackEvent[]): string => {
  const [request] = lastOperation(events);
  return request ? `, ${span(Date.parse(failure.time) - Date.parse(request.time))} in` : '';
};

const FirstToFail = ({
  stack,
  failure,
  events,
}: {
  stack: StackNow;
  failure: StackEvent;
  events: readonly StackEvent[];
}) => (
  <>
    <p>
      First to fail was{' '}
      <Link to={addressOf(pages.stack, { id: stack.id }, { resource: failure.resource })}>
        {failure.resource}
      </Link>
      {timeInto(failure, events)}. {stack.isSandbox ? 'The sandbox' : stack.vendor.toUpperCase()} said:
    </p>
    <blockquote className={styles.quote}>{failure.message}</blockquote>
  </>
);

const useKept = (stack: StackNow, resources: readonly Resource[]): string => {
  const versions = useVersions(stack);
  const complete = lastCompleteVersion(useEvents(stack.id));
  const there = resources.filter(
    ({ status, physical_id }) => status === 'complete' && physical_id !== null,
  ).length;
  const running = stack.instances.filter(({ State }) => State.Name === 'running').length;
  const kept =
    there === 0 ? 'Nothing was kept.' : `Kept: ${there === 1 ? '1 resource' : `${there} resources`}.`;
  if (!complete || running === 0) return kept;
  const servers = running === 1 ? '1 server' : `${running} servers`;
  return `${kept} Still serving: ${nameOfVersion(versions, complete)} on ${servers}.`;
};

interface Props {
  stack: StackNow;
  resources: readonly Resource[];
}

/** Why the operation failed, what is left, and what can be done now. */
export const CauseCard = ({ stack, resources }: Props) => {
  const events = useEvents(stack.id);
  const failure = firstFailure(events);
  const kept = useKept(stack, resources);
  return (
    <Card tone="bad">
      <div className={styles.cause}>
        <Phase tone="bad" size={20} />
        <Stack>
          <div>
            <h2 className={styles.title}>{readStatus(stack.status).word}</h2>
            {stack.reason && <p className={styles.reason}>{stack.reason}</p>}
          </div>
          {failure && <FirstToFail stack={stack} failure={failure} events={events} />}
          <p className={styles.kept}>{kept}</p>
          <Remedies stack={stack} />
        </Stack>
      </div>
    </Card>
  );
};

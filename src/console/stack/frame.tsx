import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { useKeys } from '../address/keys.ts';
import { addressOf, pages } from '../address/pages.ts';
import { hasStatus } from '../api/failure.ts';
import { Stale } from '../live/stale.tsx';
import { LinkButton } from '../parts/acts/button.tsx';
import { Copy } from '../parts/acts/copy.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { NoLongerShown } from '../parts/messages/no-longer-shown.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { isUnwell } from '../parts/status/health.ts';
import { readStatus, whyNoUpdate } from '../parts/status/status.ts';
import { Phase, Pill, StatusPill } from '../parts/status/status-phase.tsx';
import { Actions } from './actions.tsx';
import { ApplicationLine, toneOfTrouble } from './application-line.tsx';
import { useEvents, useFollow } from './data/follow-stack.ts';
import { useVersions } from './data/of-stack.ts';
import { useFollowHealth } from './data/rollouts.ts';
import { isFailed, isGone, isInProgress, type StackNow, useStackNow } from './data/stack-now.ts';
import styles from './frame.module.css';
import { Now } from './now/now.tsx';
import { Tabs } from './tabs.tsx';

const About = ({ stack }: { stack: StackNow }) => (
  <span className={styles.about}>
    {stack.undoing === null ? <StatusPill status={stack.status} /> : <Pill tone="bad">Undoing</Pill>}
    <span className={styles.id}>
      <code>{stack.id}</code>
      <Copy text={stack.id} what="stack id" />
    </span>
    <span>{[stack.isSandbox ? 'sandbox' : stack.vendor, stack.region].filter(Boolean).join(' · ')}</span>
    <span>
      {stack.madeBy ? `made by ${stack.madeBy} ` : 'made '}
      <When at={stack.createdAt} />
    </span>
    {stack.api === 'v2' && <span>API v2</span>}
  </span>
);

const StackTabs = ({ stack }: { stack: StackNow }) => {
  const { id, api, instances } = stack;
  const events = useEvents(id).at(-1)?.event_id;
  const versions = useVersions(stack);
  const to = (
    page: (typeof pages)['events' | 'instances' | 'versions' | 'drift' | 'stackData' | 'settings' | 'stack'],
  ): string => addressOf(page, { id });
  return (
    <Tabs
      label="Pages of the stack"
      tabs={[
        { to: to(pages.stack), label: 'Overview' },
        { to: to(pages.events), label: 'Events', count: events },
        { to: to(pages.instances), label: 'Instances', count: instances.length },
        ...(api === 'v3'
          ? [
              { to: to(pages.versions), label: 'Versions', count: versions.length || undefined },
              { to: to(pages.drift), label: 'Drift' },
            ]
          : []),
        { to: to(pages.stackData), label: 'Data' },
        { to: to(pages.settings), label: 'Settings' },
      ]}
    />
  );
};

type Content = (stack: StackNow) => ReactNode;

interface FramedProps {
  stack: StackNow;
  /** The service does not show the stack any more. */
  isLost: boolean;
  children: Content;
}

const Framed = ({ stack, isLost, children }: FramedProps) => {
  const [, navigate] = useLocation();
  useFollow(stack);
  useFollowHealth(stack);
  const edit = (): void => navigate(addressOf(pages.edit, { id: stack.id }));
  useKeys(whyNoUpdate(stack.status) ? {} : { edit });
  return (
    <Page
      title={stack.nickname}
      tab={isFailed(stack) || isUnwell(stack.health, stack.status) ? `✗ ${stack.nickname}` : undefined}
      above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}
      mark={
        <Stale>
          <Phase tone={toneOfTrouble(stack) ?? readStatus(stack.status).tone} size={34} />
        </Stale>
      }
      about={
        <Stale>
          <About stack={stack} />
          <ApplicationLine stack={stack} />
        </Stale>
      }
      actions={<Actions stack={stack} />}
    >
      {isLost && !isGone(stack) && <NoLongerShown kept="while this page is open" />}
      {!isLost && isInProgress(stack) && (
        <Stale>
          <Now stack={stack} />
        </Stale>
      )}
      <StackTabs stack={stack} />
      <Stale>{children(stack)}</Stale>
    </Page>
  );
};

const NoStack = ({ id }: { id: string }) => (
  <Page title="No such stack" above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}>
    <Empty
      title="This stack does not exist"
      action={
        <LinkButton to={addressOf(pages.data, null, { stack_id: id })}>What is kept of its data</LinkButton>
      }
      command="alm stack list"
    >
      There is no stack <code>{id}</code>, it was deleted some time ago, or your roles do not let you see it.
      Stacks of other accounts are never shown.
    </Empty>
  </Page>
);

const NotShown = ({ of }: { of: UseQueryResult<StackNow> }) => (
  <Page title="Stack" above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}>
    <Answer of={of} what="this stack">
      {() => null}
    </Answer>
  </Page>
);

interface FrameProps {
  /** Whether people type on the page: then it stays, with what they typed, if the stack is not shown to them any more. */
  hasFields?: boolean;
  children: Content;
}

/** What all pages of one stack have in common. Follows its events while it is open. */
export const StackFrame = ({ hasFields = false, children }: FrameProps) => {
  const { id } = useParams<{ id: string }>();
  const reading = useStackNow(id);
  const { data: stack, error } = reading;
  const isLost = hasStatus(error, 404) || hasStatus(error, 403);
  if (stack && (hasFields || !isLost))
    return (
      <Framed stack={stack} isLost={isLost}>
        {children}
      </Framed>
    );
  if (hasStatus(error, 404)) return <NoStack id={id} />;
  return error ? <NotShown of={reading} /> : <Loading what="the stack" />;
};

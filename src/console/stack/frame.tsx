import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { useKeys } from '../address/keys.ts';
import { addressOf, pages } from '../address/pages.ts';
import { hasStatus } from '../api/failure.ts';
import { LinkButton } from '../parts/acts/button.tsx';
import { Copy } from '../parts/acts/copy.tsx';
import { Empty, Loading } from '../parts/messages/empty.tsx';
import { Page } from '../parts/page/page.tsx';
import { Tabs } from '../parts/page/tabs.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { readStatus } from '../parts/status/status.ts';
import { Phase, StatusPill } from '../parts/status/status-phase.tsx';
import { Actions } from './actions.tsx';
import { useEvents, useFollow } from './data/follow-stack.ts';
import { useVersions } from './data/of-stack.ts';
import { isInProgress, type StackNow, useStackNow } from './data/stack-now.ts';
import styles from './frame.module.css';
import { Now } from './now/now.tsx';

const About = ({ stack }: { stack: StackNow }) => (
  <span className={styles.about}>
    <StatusPill status={stack.status} />
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
    page: (typeof pages)['events' | 'instances' | 'versions' | 'drift' | 'settings' | 'stack'],
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
        { to: to(pages.settings), label: 'Settings' },
      ]}
    />
  );
};

type Content = (stack: StackNow) => ReactNode;

const Framed = ({ stack, children }: { stack: StackNow; children: Content }) => {
  const [, navigate] = useLocation();
  useFollow(stack);
  useKeys({ edit: () => navigate(addressOf(pages.edit, { id: stack.id })) });
  return (
    <Page
      title={stack.nickname}
      above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}
      mark={<Phase tone={readStatus(stack.status).tone} size={34} />}
      about={<About stack={stack} />}
      actions={<Actions stack={stack} />}
    >
      {isInProgress(stack) && <Now stack={stack} />}
      <StackTabs stack={stack} />
      {children(stack)}
    </Page>
  );
};

const NoStack = ({ id }: { id: string }) => (
  <Page title="No such stack" above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}>
    <Empty
      title="This stack does not exist"
      action={<LinkButton to={addressOf(pages.stacks)}>All stacks</LinkButton>}
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

/** What all pages of one stack have in common. Follows its events while it is open. */
export const StackFrame = ({ children }: { children: Content }) => {
  const { id } = useParams<{ id: string }>();
  const reading = useStackNow(id);
  const { data: stack, error } = reading;
  if (hasStatus(error, 404)) return <NoStack id={id} />;
  if (hasStatus(error, 403) || (error && !stack)) return <NotShown of={reading} />;
  if (!stack) return <Loading what="the stack" />;
  return <Framed stack={stack}>{children}</Framed>;
};

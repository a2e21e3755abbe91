import { useMemo } from 'react';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import { useNow } from '../clock.ts';
import { LinkButton } from '../parts/acts/button.tsx';
import { Loading } from '../parts/messages/empty.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Columns, Row, Stack } from '../parts/page/card.tsx';
import { loadedLater } from '../parts/page/loaded-later.ts';
import { PictureCard } from '../picture/picture-card.tsx';
import { type Resource, withEvents } from '../picture/resource.ts';
import { waterfall } from '../picture/waterfall.ts';
import { WaterfallCard } from '../picture/waterfall-card.tsx';
import { useEvents } from './data/follow-stack.ts';
import { useEstimate, useResources } from './data/of-stack.ts';
import { useRollouts } from './data/rollouts.ts';
import { isFailed, isGone, type StackNow } from './data/stack-now.ts';
import { StackFrame } from './frame.tsx';
import { CauseCard } from './now/cause-card.tsx';
import { LatestEvents } from './now/latest-events.tsx';
import { Outputs } from './now/outputs.tsx';
import { ResourceCard } from './now/resource-card.tsx';
import { aboutData, serversOf } from './now/servers-of.ts';
import { applicationsOf } from './rollouts/layers.ts';

/** Only stacks with containers show it. */
const RolloutStrip = loadedLater(() => import('./rollouts/strip.tsx'));

interface Shown {
  stack: StackNow;
  resources: readonly Resource[];
}

const Selected = ({ stack, resources }: Shown) => {
  const [{ resource: name }] = useSearchValues();
  const index = resources.findIndex((each) => each.name === name);
  const resource = resources[index];
  return resource ? <ResourceCard stack={stack} resource={resource} position={index + 1} /> : null;
};

const Time = ({ stack, resources }: Shown) => {
  const events = useEvents(stack.id);
  const { data } = useEstimate(stack);
  const now = useNow();
  const p50 = data?.p50_seconds ?? null;
  return (
    <WaterfallCard
      waterfall={waterfall({ events, resources, usual: p50 === null ? null : p50 * 1000, now })}
    />
  );
};

const Deleted = ({ id }: { id: string }) => (
  <Row>
    <span>This stack was deleted. Its events stay for a while.</span>
    <LinkButton to={addressOf(pages.stackData, { id })}>What is kept</LinkButton>
  </Row>
);

const Now = ({ stack }: { stack: StackNow }) => {
  const [{ resource: selected = null }] = useSearchValues();
  const events = useEvents(stack.id);
  const { data, error, refetch } = useResources(stack);
  // The same objects as long as nothing changed: the picture is drawn again only for new ones.
  const resources = useMemo(() => (data ? withEvents(data, events) : []), [data, events]);
  const rollouts = useRollouts(stack);
  const servers = useMemo(() => serversOf(stack, applicationsOf(rollouts)), [stack, rollouts]);
  const about = useMemo(() => aboutData(stack, resources), [stack, resources]);
  return (
    <Stack>
      {isFailed(stack) && <CauseCard stack={stack} resources={resources} />}
      {isGone(stack) && <Deleted id={stack.id} />}
      {stack.health !== 'none' && !isGone(stack) && <RolloutStrip stack={stack} rollouts={rollouts} />}
      <Columns>
        <Stack>
          {error && <ErrorCard error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Loading what="the resources" />}
          {data && <PictureCard resources={resources} servers={servers} about={about} selected={selected} />}
          <Selected stack={stack} resources={resources} />
          <Time stack={stack} resources={resources} />
        </Stack>
        <Stack>
          <LatestEvents stackId={stack.id} />
          <Outputs stack={stack} />
        </Stack>
      </Columns>
    </Stack>
  );
};

const Overview = () => <StackFrame>{(stack) => <Now stack={stack} />}</StackFrame>;

export default Overview;

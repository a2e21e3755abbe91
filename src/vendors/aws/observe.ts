import { emptyView, type Observation, type StackOnVendor, type StackView } from '../vendor.ts';
import { errorName } from './errors.ts';
import { readStory } from './observe/events.ts';
import type { CloudStack } from './observe/list-stacks.ts';
import { standingOf } from './observe/statuses.ts';
import type { Story } from './observe/story.ts';
import { readView } from './observe/view.ts';
import { findCloudStack, keepStory, type Region } from './region.ts';

/** Nothing changes by itself, but somebody may change it by hand. */
const sweepMs = 600_000;
/** All stacks are looked at in the same moments, so that they share what is read then. */
const untilNextSweep = (now: number): number => sweepMs - (now % sweepMs);

/** Quickly at first, then more slowly: most of what takes long takes very long. */
export function pollAfter(pollMs: number, ageMs: number): number {
  if (ageMs < 60_000) return pollMs;
  return ageMs < 600_000 ? 3 * pollMs : 6 * pollMs;
}

export async function observe(region: Region, { id }: StackOnVendor): Promise<Observation> {
  const recent = await findCloudStack(region, id, (region.pollMs * 4) / 5);
  // That something is gone, or not there yet, is said only on fresh knowledge.
  const { order, value: stack } = recent.value ? recent : await findCloudStack(region, id, region.pollMs / 5);
  const accepted = region.accepted.get(id);
  if (accepted && accepted.order > order) return justAccepted(region, accepted, stack);
  region.accepted.delete(id);
  if (!stack) return absent(region, id);
  const view = await readView(region, stack, (region.pollMs * 4) / 5);
  return standingOf(stack.status).kind === 'busy'
    ? underWay(region, stack, view)
    : atRest(region, stack, view);
}

function absent(region: Region, id: string): Observation {
  region.changing.delete(id);
  region.stories.delete(id);
  return { kind: 'absent', view: emptyView };
}

/** CloudFormation said yes after the last look at it: until the next one, that is all that is known. */
async function justAccepted(
  region: Region,
  { doing, version }: { doing: 'apply' | 'remove'; version: string },
  stack: CloudStack | undefined,
): Promise<Observation> {
  const view = stack ? await readView(region, stack, region.pollMs) : emptyView;
  return { kind: 'busy', doing, version, lookAgainMs: region.pollMs, view };
}

function underWay(region: Region, stack: CloudStack, view: StackView): Observation {
  region.changing.add(stack.stackId);
  region.stories.delete(stack.stackId);
  const { doing } = standingOf(stack.status);
  const age = region.clock.now() - stack.updatedAt;
  return { kind: 'busy', doing, version: stack.version, lookAgainMs: pollAfter(region.pollMs, age), view };
}

const noStory: Story = { events: [], reason: '', version: undefined };

/** Read once for each time a stack comes to rest. */
async function storyOf(region: Region, stack: CloudStack): Promise<Story> {
  const state = `${stack.arn} ${stack.status} ${stack.updatedAt}`;
  const known = region.stories.get(stack.stackId);
  if (known?.state === state) return known.story;
  const settled = standingOf(stack.status).kind === 'settled';
  if (settled && !region.changing.has(stack.stackId)) return noStory;
  const story = await readStory(region, stack).catch((cause: unknown) => {
    // Deleted at this very moment: the next look shows it.
    if (errorName(cause) === 'ValidationError') return noStory;
    throw cause;
  });
  region.changing.delete(stack.stackId);
  keepStory(region, stack.stackId, { state, story });
  return story;
}

async function atRest(region: Region, stack: CloudStack, view: StackView): Promise<Observation> {
  const { kind, doing, move } = standingOf(stack.status);
  const { events, reason, version } = await storyOf(region, stack);
  const withEvents = { ...view, events };
  if (kind === 'settled')
    return {
      kind,
      version: stack.version,
      lookAgainMs: untilNextSweep(region.clock.now()),
      view: withEvents,
    };
  return {
    kind: 'broken',
    doing,
    // What stands after an undone update is the version before; broken is the one that was tried.
    version: version ?? stack.version,
    reason: reason || stack.reason || stack.status,
    terminal: true,
    // What is in the way must be cleared before another version has a chance.
    blocked: move === 'undo-first' || doing === 'remove',
    view: withEvents,
  };
}

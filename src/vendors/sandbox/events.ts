import type { VendorEvent } from '../vendor.ts';
import type { SandboxStack, Step, Telling } from './cloud.ts';

/** Enough for many plans; who follows the events has read the older ones long ago. */
const pastEventsKept = 500;

/** Everything that has happened so far, in the order it happened. */
export function eventsAt(stack: SandboxStack, now: number): VendorEvent[] {
  const events = [...stack.pastEvents, ...stack.steps.flatMap((step) => eventsOf(step, now))];
  // A step that an earlier plan began has told its beginning already.
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].toSorted((a, b) => a.at - b.at);
}

export const eventsToKeep = (stack: SandboxStack, now: number): VendorEvent[] =>
  eventsAt(stack, now).slice(-pastEventsKept);

function eventsOf(step: Step, now: number): VendorEvent[] {
  const events: VendorEvent[] = [];
  const tell = (telling: Telling | null, at: number): void => {
    const { name, type, id } = step.resource;
    if (telling && now >= at)
      events.push({
        id: `${step.turn}:${id}:${telling.state}`,
        at,
        resource: name,
        resourceType: type,
        ...telling,
      });
  };
  tell(step.story ? step.story.started : beginning(step), step.startsAt);
  tell(step.story ? step.story.finished : ending(step), step.endsAt);
  return events;
}

const verbs = {
  create: { doing: 'Creating', done: 'Created' },
  update: { doing: 'Updating', done: 'Updated' },
  delete: { doing: 'Deleting', done: 'Deleted' },
} as const;

const beginning = ({ action, resource }: Step): Telling => ({
  state: `${action.toUpperCase()}_IN_PROGRESS`,
  message: `${verbs[action].doing} ${resource.id}.`,
});

const ending = ({ action, resource, failure }: Step): Telling =>
  failure === null
    ? { state: `${action.toUpperCase()}_COMPLETE`, message: `${verbs[action].done} ${resource.id}.` }
    : { state: `${action.toUpperCase()}_FAILED`, message: failure };

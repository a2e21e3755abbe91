import type { VendorEvent } from '../vendor.ts';
import type { EventText, SandboxStack, Step } from './cloud.ts';

/** Enough for many plans. Older events have been read long before. */
const maxPastEvents = 500;

/** All events so far, in the order of their times. */
export function eventsAt(stack: SandboxStack, now: number): VendorEvent[] {
  const events = [...stack.pastEvents, ...stack.steps.flatMap((step) => eventsOf(step, now))];
  // The start of a step from an earlier plan is already among the past events.
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].toSorted((a, b) => a.at - b.at);
}

export const eventsToKeep = (stack: SandboxStack, now: number): VendorEvent[] =>
  eventsAt(stack, now).slice(-maxPastEvents);

function eventsOf(step: Step, now: number): VendorEvent[] {
  const events: VendorEvent[] = [];
  const add = (text: EventText | null, at: number): void => {
    const { name, type, id } = step.resource;
    if (text && now >= at)
      events.push({
        id: `${step.turn}:${id}:${text.state}`,
        at,
        resource: name,
        resourceType: type,
        physicalId: id,
        version: step.turn.split(':')[0] ?? '',
        ...text,
      });
  };
  add(step.story ? step.story.started : startText(step), step.startsAt);
  add(step.story ? step.story.finished : endText(step), step.endsAt);
  return events;
}

const verbs = {
  create: { doing: 'Creating', done: 'Created' },
  update: { doing: 'Updating', done: 'Updated' },
  delete: { doing: 'Deleting', done: 'Deleted' },
} as const;

const startText = ({ action, resource }: Step): EventText => ({
  state: `${action.toUpperCase()}_IN_PROGRESS`,
  message: `${verbs[action].doing} ${resource.id}.`,
});

const endText = ({ action, resource, failure }: Step): EventText =>
  failure === null
    ? { state: `${action.toUpperCase()}_COMPLETE`, message: `${verbs[action].done} ${resource.id}.` }
    : { state: `${action.toUpperCase()}_FAILED`, message: failure };

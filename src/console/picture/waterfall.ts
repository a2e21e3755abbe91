import type { Tone } from '../parts/status/status.ts';
import { type Resource, type StackEvent, statusAfter, tones } from './resource.ts';

export interface Bar {
  name: string;
  /** Milliseconds since the request. */
  from: number;
  to: number;
  tone: Tone;
  /** Expected, not measured. */
  isExpected: boolean;
}

export interface Waterfall {
  bars: readonly Bar[];
  /** Milliseconds from the request to the end, or to the expected end. */
  length: number;
}

/** The events of the last request. */
export function lastOperation(events: readonly StackEvent[]): readonly StackEvent[] {
  const start = events.findLastIndex(({ kind, status }) => kind === 'request' && status !== '');
  return start < 0 ? events : events.slice(start);
}

const timeOf = ({ time }: StackEvent): number => Date.parse(time);

/** What was measured. A resource that is still at work ends now. */
function measured(events: readonly StackEvent[], start: number, now: number): Bar[] {
  const bars = new Map<string, Bar>();
  for (const event of events) {
    const status = event.resource === '' ? null : statusAfter(event);
    if (!status) continue;
    const at = Math.max(0, timeOf(event) - start);
    const known = bars.get(event.resource);
    const isOpen = tones[status] === 'work';
    bars.set(event.resource, {
      name: event.resource,
      from: known?.from ?? at,
      to: isOpen ? Math.max(at, now - start) : at,
      // After a failure, undoing a resource does not hide that it failed.
      tone: known?.tone === 'bad' ? 'bad' : isOpen ? 'work' : tones[status] === 'bad' ? 'bad' : 'good',
      isExpected: false,
    });
  }
  return [...bars.values()];
}

/** How many waiting resources each has before it, in a row. */
function stepsBefore(waiting: readonly Resource[]): Map<string, number> {
  const byName = new Map(waiting.map((resource) => [resource.name, resource]));
  const steps = new Map<string, number>();
  const visit = (resource: Resource): number => {
    const known = steps.get(resource.name);
    if (known !== undefined) return known;
    steps.set(resource.name, 0);
    const before = resource.depends_on.flatMap((name) => byName.get(name) ?? []).map(visit);
    const own = before.length === 0 ? 0 : Math.max(...before) + 1;
    steps.set(resource.name, own);
    return own;
  };
  for (const resource of waiting) visit(resource);
  return steps;
}

/** What is still to come: the waiting resources share the time that is usually left, in the order of their dependencies. */
function expected(waiting: readonly Resource[], from: number, until: number): Bar[] {
  const steps = stepsBefore(waiting);
  const share = (until - from) / (Math.max(0, ...steps.values()) + 1);
  return waiting.map(({ name }) => {
    const start = from + (steps.get(name) ?? 0) * share;
    return { name, from: start, to: start + share, tone: 'none', isExpected: true };
  });
}

export interface WaterfallInput {
  events: readonly StackEvent[];
  resources: readonly Resource[];
  /** Usual duration of the operation in milliseconds; null: not known. */
  usual: number | null;
  now: number;
}

/** Where the time of the last operation went, and where the rest will go. */
export function waterfall({ events, resources, usual, now }: WaterfallInput): Waterfall {
  const operation = lastOperation(events);
  const [first] = operation;
  if (!first) return { bars: [], length: 0 };
  const start = timeOf(first);
  const bars = measured(operation, start, now);
  const waiting = resources.filter(({ status }) => status === 'waiting');
  const isOver = operation.some(({ kind }) => kind === 'status');
  const elapsed = Math.max(0, isOver ? Math.max(...bars.map(({ to }) => to)) : now - start);
  const rest = !isOver && usual !== null && usual > elapsed ? expected(waiting, elapsed, usual) : [];
  const all = [
    ...bars.toSorted((a, b) => a.from - b.from || a.to - b.to),
    ...rest.toSorted((a, b) => a.from - b.from),
  ];
  return { bars: all, length: Math.max(1, elapsed, ...all.map(({ to }) => to)) };
}

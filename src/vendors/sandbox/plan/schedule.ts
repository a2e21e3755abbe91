import type { Resource, Step } from '../cloud.ts';
import { creationTimes } from '../document.ts';

/** The current time, and the speed factor on durations: 1 is as listed, 0 is immediate. */
export interface SimulationTime {
  now: number;
  speed: number;
}

const shareOfCreation = { create: 1, update: 0.5, delete: 0.4 } as const;

const durationOf = (action: Step['action'], { type }: Resource, speed: number): number =>
  Math.round(creationTimes[type] * shareOfCreation[action] * speed);

type NewStep = Pick<Step, 'turn' | 'action' | 'resource' | 'startsAt'>;

export const stepOf = ({ turn, action, resource, startsAt }: NewStep, speed: number): Step => ({
  turn,
  action,
  resource,
  startsAt,
  endsAt: startsAt + durationOf(action, resource, speed),
  failure: null,
  background: false,
  story: null,
});

/** Deletes each resource once all deleted resources that depend on it are gone. */
export function scheduleDeletions(
  resources: readonly Resource[],
  notBefore: (resource: Resource) => number,
  { turn, speed }: { turn: string; speed: number },
): Step[] {
  const steps = new Map<Resource, Step>();
  const goneAt = (resource: Resource, ancestors: readonly Resource[]): number => {
    const known = steps.get(resource);
    if (known) return known.endsAt;
    // In the middle of an update, old and new resources may depend on each other in a cycle: do not wait then.
    if (ancestors.includes(resource)) return notBefore(resource);
    const dependents = resources.filter((other) => other.dependsOn.includes(resource.name));
    const waits = dependents.map((other) => goneAt(other, [...ancestors, resource]));
    const startsAt = Math.max(notBefore(resource), ...waits);
    const step = stepOf({ turn, action: 'delete', resource, startsAt }, speed);
    steps.set(resource, step);
    return step.endsAt;
  };
  for (const resource of resources.toReversed()) goneAt(resource, []);
  return [...steps.values()];
}

/** The first step that fails, and the steps started by then: nothing starts after a failure. */
export function cutAtFailure(steps: readonly Step[]): { started: Step[]; failed: Step | undefined } {
  const failed = steps
    .filter((step) => step.failure !== null)
    .reduce<Step | undefined>(
      (first, step) => (first && first.endsAt <= step.endsAt ? first : step),
      undefined,
    );
  if (!failed) return { started: [...steps], failed };
  const position = steps.indexOf(failed);
  const started = steps.filter(
    (step, index) =>
      index === position ||
      step.startsAt < failed.endsAt ||
      // At speed 0 all steps have the same time. Their order decides.
      (step.startsAt === failed.endsAt && index < position),
  );
  return { started, failed };
}

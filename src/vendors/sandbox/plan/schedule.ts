import type { Resource, Step } from '../cloud.ts';
import { creationTimes } from '../document.ts';

/** When a plan is made, and how long things take: 1 is as listed, 0 is at once. */
export interface Moment {
  now: number;
  speed: number;
}

const shareOfCreation = { create: 1, update: 0.5, delete: 0.4 } as const;

export const durationOf = (action: Step['action'], { type }: Resource, speed: number): number =>
  Math.round(creationTimes[type] * shareOfCreation[action] * speed);

interface Begin {
  turn: string;
  action: Step['action'];
  resource: Resource;
  startsAt: number;
}

export const stepOf = ({ turn, action, resource, startsAt }: Begin, speed: number): Step => ({
  turn,
  action,
  resource,
  startsAt,
  endsAt: startsAt + durationOf(action, resource, speed),
  failure: null,
  background: false,
  story: null,
});

/** Deletes each resource as soon as everything deleted with it that depends on it is gone. */
export function scheduleDeletions(
  turn: string,
  resources: readonly Resource[],
  notBefore: (resource: Resource) => number,
  speed: number,
): Step[] {
  const steps = new Map<Resource, Step>();
  const goneAt = (resource: Resource, above: readonly Resource[]): number => {
    const known = steps.get(resource);
    if (known) return known.endsAt;
    // Halfway through an update, old and new may need each other in a circle: then nobody waits.
    if (above.includes(resource)) return notBefore(resource);
    const dependents = resources.filter((other) => other.dependsOn.includes(resource.name));
    const waits = dependents.map((other) => goneAt(other, [...above, resource]));
    const startsAt = Math.max(notBefore(resource), ...waits);
    const step = stepOf({ turn, action: 'delete', resource, startsAt }, speed);
    steps.set(resource, step);
    return step.endsAt;
  };
  for (const resource of resources.toReversed()) goneAt(resource, []);
  return [...steps.values()];
}

/** The step that fails first, and those that had begun by then: nothing starts after a failure. */
export function cutAtFailure(steps: readonly Step[]): { begun: Step[]; failed: Step | undefined } {
  const failed = steps
    .filter((step) => step.failure !== null)
    .reduce<Step | undefined>(
      (first, step) => (first && first.endsAt <= step.endsAt ? first : step),
      undefined,
    );
  if (!failed) return { begun: [...steps], failed };
  const position = steps.indexOf(failed);
  const begun = steps.filter(
    (step, index) =>
      index === position ||
      step.startsAt < failed.endsAt ||
      // At speed 0 all is one moment; then the order tells.
      (step.startsAt === failed.endsAt && index < position),
  );
  return { begun, failed };
}

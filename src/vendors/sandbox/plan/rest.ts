import type { Resource, SandboxStack, Step } from '../cloud.ts';
import { resourcesAt, resourcesInTheEnd } from '../world.ts';

/** A stack stopped in its tracks: what a new plan starts from. */
export interface Rest {
  base: Resource[];
  /** What has begun cannot be stopped: these run on to their end within the new plan. */
  carried: Step[];
  /** What there is once they have. */
  after: Resource[];
  /** By logical name: the new plan may touch it from then on. */
  freeAt: ReadonlyMap<string, number>;
}

export function restOf(stack: SandboxStack | undefined, now: number): Rest {
  if (!stack) return { base: [], carried: [], after: [], freeAt: new Map() };
  const ended = stack.steps.filter((step) => step.endsAt <= now);
  const base = resourcesAt(stack.base, ended, now);
  const carried = stack.steps.filter((step) => step.startsAt <= now && now < step.endsAt);
  const freeAt = new Map<string, number>();
  for (const { resource, endsAt } of carried)
    freeAt.set(resource.name, Math.max(endsAt, freeAt.get(resource.name) ?? now));
  return { base, carried, after: resourcesInTheEnd(base, carried), freeAt };
}

import type { Resource, SandboxStack, Step } from '../cloud.ts';
import { finalResources, resourcesAt } from '../timeline.ts';

/** The state that a new plan starts from. */
export interface StartingPoint {
  base: Resource[];
  /** Steps in progress. They cannot be stopped and continue in the new plan. */
  inProgress: Step[];
  /** The resources after these steps. */
  resources: Resource[];
  /** When the new plan may change a resource, by logical name. */
  freeAt: ReadonlyMap<string, number>;
}

export function startingPointOf(stack: SandboxStack | undefined, now: number): StartingPoint {
  if (!stack) return { base: [], inProgress: [], resources: [], freeAt: new Map() };
  const ended = stack.steps.filter((step) => step.endsAt <= now);
  const base = resourcesAt({ base: stack.base, steps: ended }, now);
  const inProgress = stack.steps.filter((step) => step.startsAt <= now && now < step.endsAt);
  const freeAt = new Map<string, number>();
  for (const { resource, endsAt } of inProgress)
    freeAt.set(resource.name, Math.max(endsAt, freeAt.get(resource.name) ?? now));
  return { base, inProgress, resources: finalResources({ base, steps: inProgress }), freeAt };
}

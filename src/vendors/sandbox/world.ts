import type { Resource, SandboxStack, Step } from './cloud.ts';

/** The pretend world as a pure function of the stored plan and the time. */

export interface Standing {
  resource: Resource;
  state: 'creating' | 'ready' | 'updating' | 'deleting';
}

type World = Map<string, Standing>;

export function worldAt(base: readonly Resource[], steps: readonly Step[], now: number): Standing[] {
  const world: World = new Map(base.map((resource) => [resource.id, { resource, state: 'ready' }]));
  for (const step of steps) {
    if (now >= step.endsAt) finish(world, step);
    else if (now >= step.startsAt) begin(world, step);
  }
  return [...world.values()];
}

function begin(world: World, { action, resource }: Step): void {
  const before = world.get(resource.id)?.resource ?? resource;
  const states = { create: 'creating', update: 'updating', delete: 'deleting' } as const;
  world.set(resource.id, { resource: before, state: states[action] });
}

function finish(world: World, { action, resource, failure }: Step): void {
  const goes = failure === null ? action === 'delete' : action === 'create';
  if (goes) world.delete(resource.id);
  else if (failure === null || action === 'delete') world.set(resource.id, { resource, state: 'ready' });
}

export const resourcesAt = (base: readonly Resource[], steps: readonly Step[], now: number): Resource[] =>
  worldAt(base, steps, now).map((standing) => standing.resource);

/** What there will be when every step has ended. */
export const resourcesInTheEnd = (base: readonly Resource[], steps: readonly Step[]): Resource[] =>
  resourcesAt(base, steps, Number.POSITIVE_INFINITY);

export type Phase = 'busy' | 'broken' | 'settled' | 'gone';

export function phaseOf(stack: SandboxStack, now: number): Phase {
  if (now < stack.endsAt) return 'busy';
  if (stack.failure !== null) return 'broken';
  return stack.doing === 'apply' ? 'settled' : 'gone';
}

/** The networks a stack counts for at this moment. */
export const networksHeld = (stack: SandboxStack, now: number): number =>
  stack.networksUntil === null || now < stack.networksUntil ? stack.networks : 0;

import type { Resource, SandboxStack, Step, Telling } from '../cloud.ts';
import { addressBook } from '../plan/addresses.ts';
import { newResource } from '../plan/plan.ts';
import { type Moment, stepOf } from '../plan/schedule.ts';

/** Why and how a member leaves its group. */
export interface Leaving {
  /** The instance from then on. */
  left: Resource;
  telling: Telling;
  /** So long it is left alone, and at least until its replacement is in service. */
  protectedMs: number;
}

/**
 * A group puts another instance in the place of one of its own, as groups do by themselves: the stack counts as settled
 * meanwhile. A new plan that comes before the draining has begun drains the old one by itself, so that removing a stack
 * waits for no protection.
 */
export function replaceMember(
  stack: SandboxStack,
  old: Resource,
  { now, speed }: Moment,
  { left, telling, protectedMs }: Leaving,
): Resource {
  const turn = nextTurn(stack);
  // Also what another replacement is still draining: it keeps its address until it is gone.
  const standing = [...stack.base, ...stack.steps.map((step) => step.resource)];
  const fresh = newResource(`${stack.stackId}/${turn}`, old, addressBook(stack.stackId, standing), now);
  const launch = stepOf({ turn, action: 'create', resource: fresh, startsAt: now }, speed);
  const drainFrom = Math.max(launch.endsAt, now + protectedMs);
  const drain = stepOf({ turn, action: 'delete', resource: left, startsAt: drainFrom }, speed);
  const leave = { ...launch, action: 'update' as const, resource: left, endsAt: now };
  stack.steps.push(
    inBackground(leave, telling, null),
    inBackground(
      launch,
      { state: 'REPLACEMENT_LAUNCHED', message: `Replacement ${fresh.id} launched for ${old.id}.` },
      { state: 'REPLACEMENT_IN_SERVICE', message: `Replacement ${fresh.id} is in service.` },
    ),
    inBackground(
      drain,
      { state: 'DRAINING', message: `Old instance ${old.id} is being drained.` },
      { state: 'TERMINATED', message: `Old instance ${old.id} drained and terminated.` },
    ),
  );
  return fresh;
}

/** Something that happens outside any plan has a turn of its own, so that its events have ids of their own. */
export function nextTurn(stack: SandboxStack): string {
  stack.turns += 1;
  return `${stack.version}:${stack.turns}`;
}

export const inBackground = (step: Step, started: Telling | null, finished: Telling | null): Step => ({
  ...step,
  background: true,
  story: { started, finished },
});

/** A plan that is changing the instance ends that first. */
export const freeFrom = ({ steps }: SandboxStack, id: string, now: number): number =>
  Math.max(now, ...steps.filter((step) => step.resource.id === id).map((step) => step.endsAt));

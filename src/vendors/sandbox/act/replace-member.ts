import type { EventText, Resource, SandboxAccount, SandboxStack, Step } from '../cloud.ts';
import { addressBook } from '../plan/addresses.ts';
import { newResource } from '../plan/plan.ts';
import { type SimulationTime, stepOf } from '../plan/schedule.ts';
import { finalResources, resourcesAt } from '../timeline.ts';

/** The removal of a member from its group. */
interface MemberRemoval {
  /** The instance as it is from now on. */
  member: Resource;
  event: EventText;
  /** How long it stays in service; at least until its replacement is in service. */
  protectedMs: number;
}

/**
 * A group replaces a member on its own, so the stack stays settled. A new plan before the draining starts drains the
 * member itself: removing a stack does not wait for the protection period.
 */
export function replaceMember(
  stack: SandboxStack,
  { member, event, protectedMs }: MemberRemoval,
  { now, speed }: SimulationTime,
): Resource {
  const turn = nextTurn(stack);
  // Includes members that other replacements are draining: they keep their addresses until they are gone.
  const existing = [...stack.base, ...stack.steps.map((step) => step.resource)];
  const replacement = newResource(
    { desired: member, seed: `${stack.stackId}/${turn}`, createdAt: now },
    addressBook(stack.stackId, existing),
  );
  const launch = stepOf({ turn, action: 'create', resource: replacement, startsAt: now }, speed);
  const drainFrom = Math.max(launch.endsAt, now + protectedMs);
  const drain = stepOf({ turn, action: 'delete', resource: member, startsAt: drainFrom }, speed);
  const leave = { ...launch, action: 'update' as const, resource: member, endsAt: now };
  stack.steps.push(
    inBackground(leave, event, null),
    inBackground(
      launch,
      {
        state: 'REPLACEMENT_LAUNCHED',
        message: `Replacement ${replacement.id} launched for ${member.id}.`,
      },
      { state: 'REPLACEMENT_IN_SERVICE', message: `Replacement ${replacement.id} is in service.` },
    ),
    inBackground(
      drain,
      { state: 'DRAINING', message: `Old instance ${member.id} is being drained.` },
      { state: 'TERMINATED', message: `Old instance ${member.id} drained and terminated.` },
    ),
  );
  return replacement;
}

/** The id of a change outside any plan; part of the ids of its events. */
export function nextTurn(stack: SandboxStack): string {
  stack.turns += 1;
  return `${stack.version}:${stack.turns}`;
}

export const inBackground = (step: Step, started: EventText | null, finished: EventText | null): Step => ({
  ...step,
  background: true,
  story: { started, finished },
});

/** When the current plan has finished its changes of an instance. */
const freeFrom = ({ steps }: SandboxStack, id: string, now: number): number =>
  Math.max(now, ...steps.filter((step) => step.resource.id === id).map((step) => step.endsAt));

interface FoundInstance {
  stack: SandboxStack;
  instance: Resource;
  /** Undefined: it is being removed. */
  staying: Resource | undefined;
  /** When it can be changed. */
  freeAt: number;
}

export function findInstance(
  account: SandboxAccount,
  { stackId, instanceId }: { stackId: string; instanceId: string },
  now: number,
): FoundInstance | undefined {
  const stack = account.stacks.get(stackId);
  if (!stack) return undefined;
  const isTarget = ({ id, type }: Resource): boolean => id === instanceId && type === 'Instance';
  const instance = resourcesAt(stack, now).find(isTarget);
  if (!instance) return undefined;
  const staying = finalResources(stack).find(isTarget);
  return { stack, instance, staying, freeAt: freeFrom(stack, instanceId, now) };
}

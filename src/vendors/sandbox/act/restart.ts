import { defaultHeartbeatSeconds, type RestartAnswer, type StackOnVendor } from '../../vendor.ts';
import type { Resource, SandboxAccount, SandboxStack } from '../cloud.ts';
import { textOf } from '../document.ts';
import { type Moment, stepOf } from '../plan/schedule.ts';
import { resourcesInTheEnd, worldAt } from '../world.ts';
import { freeFrom, inBackground, nextTurn, replaceMember } from './replace-member.ts';

/** A member of a group is replaced, any other server rebooted; neither is while it is on its way out already. */
export function restartIn(
  account: SandboxAccount,
  stack: StackOnVendor,
  instanceId: string,
  { now, speed }: Moment,
): RestartAnswer {
  const held = account.stacks.get(stack.id);
  const isIt = ({ id, type }: Resource): boolean => id === instanceId && type === 'Instance';
  const found = held && worldAt(held.base, held.steps, now).find(({ resource }) => isIt(resource))?.resource;
  if (!found) return { accepted: false, reason: `There is no instance ${instanceId}.` };
  const inGroup = textOf(found, 'group') !== '';
  const protectionSeconds = held.lifecycleHook?.heartbeatSeconds ?? defaultHeartbeatSeconds;
  const staying = resourcesInTheEnd(held.base, held.steps).find(isIt);
  const moment = { now: freeFrom(held, instanceId, now), speed };
  if (staying && inGroup) removeFromGroup(held, staying, protectionSeconds, moment);
  else if (staying) reboot(held, staying, moment);
  return { accepted: true, protectionSeconds: inGroup ? protectionSeconds : null };
}

function removeFromGroup(stack: SandboxStack, member: Resource, seconds: number, moment: Moment): void {
  const message = `Instance ${member.id} left its group with a protection period of ${seconds} seconds.`;
  replaceMember(stack, member, moment, {
    left: member,
    telling: { state: 'REMOVED_FROM_GROUP', message },
    protectedMs: Math.round(seconds * 1000 * moment.speed),
  });
}

function reboot(stack: SandboxStack, server: Resource, { now, speed }: Moment): void {
  const turn = nextTurn(stack);
  const step = stepOf({ turn, action: 'update', resource: server, startsAt: now }, speed);
  stack.steps.push(
    inBackground(
      step,
      { state: 'REBOOTING', message: `Instance ${server.id} is being rebooted.` },
      { state: 'REBOOTED', message: `Instance ${server.id} has been rebooted.` },
    ),
  );
}

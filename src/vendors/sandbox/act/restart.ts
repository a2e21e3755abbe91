import { defaultHeartbeatSeconds, type RestartAnswer } from '../../vendor.ts';
import type { Resource, SandboxAccount, SandboxStack } from '../cloud.ts';
import { textOf } from '../document.ts';
import { type SimulationTime, stepOf } from '../plan/schedule.ts';
import { findInstance, inBackground, nextTurn, replaceMember } from './replace-member.ts';

/** Replaces a member of a group; reboots any other server. Does nothing to an instance that is being removed. */
export function restartInstance(
  account: SandboxAccount,
  target: { stackId: string; instanceId: string },
  { now, speed }: SimulationTime,
): RestartAnswer {
  const found = findInstance(account, target, now);
  if (!found) return { accepted: false, reason: `There is no instance ${target.instanceId}.` };
  const { stack, instance, staying, freeAt } = found;
  const time = { now: freeAt, speed };
  if (textOf(instance, 'group') === '') {
    if (staying) reboot(stack, staying, time);
    return { accepted: true, protectionSeconds: null };
  }
  const protectionSeconds = stack.lifecycleHook?.heartbeatSeconds ?? defaultHeartbeatSeconds;
  if (staying) {
    const message = `Instance ${staying.id} left its group with a protection period of ${protectionSeconds} seconds.`;
    const removal = {
      member: staying,
      event: { state: 'REMOVED_FROM_GROUP', message },
      protectedMs: Math.round(protectionSeconds * 1000 * speed),
    };
    replaceMember(stack, removal, time);
  }
  return { accepted: true, protectionSeconds };
}

function reboot(stack: SandboxStack, server: Resource, { now, speed }: SimulationTime): void {
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

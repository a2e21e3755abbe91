import { type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import type { Fault, StackOnVendor } from '../../vendor.ts';
import { noFaults, type SandboxAccount, type SandboxFaults } from '../cloud.ts';
import type { Moment } from '../plan/schedule.ts';
import { resourcesAt } from '../world.ts';
import { noticeSpotInstance } from './spot.ts';

/** Trouble on request: how it is kept, and how the rest asks whether it applies. */

type Kind<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

const problem = (path: string, message: string): Outcome<never> =>
  reject([{ path, message } satisfies Problem]);

export function injectIn(
  account: SandboxAccount,
  fault: Fault,
  stack: StackOnVendor | undefined,
  moment: Moment,
): Outcome<string> {
  switch (fault.kind) {
    case 'fail_resource':
      return failResource(account.faults, fault, stack);
    case 'unreachable':
      return cutOff(account.faults, fault, stack, moment.now);
    case 'spot_notice':
      return noticeSpotInstance(account, fault.instanceId, stack, moment);
    case 'share_resource':
      return shareResource(account, fault, stack, moment.now);
    case 'clear':
      account.faults = stack ? without(account.faults, stack.id) : noFaults();
      return succeed('All faults are cleared.');
  }
}

const without = ({ failures, outages, shares }: SandboxFaults, stackId: string): SandboxFaults => ({
  failures: failures.filter((failure) => failure.stackId !== stackId),
  outages: outages.filter((outage) => outage.stackId !== stackId),
  shares: shares.filter((share) => share.stackId !== stackId),
});

function failResource(
  faults: SandboxFaults,
  { position, reason = 'The resource could not be created.' }: Kind<'fail_resource'>,
  stack: StackOnVendor | undefined,
): Outcome<string> {
  if (!Number.isInteger(position) || position < 1)
    return problem('position', 'The position is a whole number from 1.');
  faults.failures.push({ stackId: stack?.id ?? null, position, reason });
  return succeed(`Creation number ${position} of the next apply will fail.`);
}

function cutOff(
  faults: SandboxFaults,
  { seconds }: Kind<'unreachable'>,
  stack: StackOnVendor | undefined,
  now: number,
): Outcome<string> {
  if (!Number.isFinite(seconds) || seconds <= 0)
    return problem('seconds', 'The seconds are a number above 0.');
  faults.outages = faults.outages.filter((outage) => outage.until > now);
  faults.outages.push({ stackId: stack?.id ?? null, until: now + seconds * 1000 });
  return succeed(`The cloud is unreachable for ${seconds} seconds.`);
}

function shareResource(
  account: SandboxAccount,
  { resource, withStack }: Kind<'share_resource'>,
  stack: StackOnVendor | undefined,
  now: number,
): Outcome<string> {
  const held = stack && account.stacks.get(stack.id);
  if (!held) return problem('stack', 'Sharing needs a stack that exists in the cloud.');
  if (withStack === '' || withStack === held.stackId)
    return problem('withStack', 'Name the other stack that uses the resource.');
  const standing = resourcesAt(held.base, held.steps, now);
  const shared = resource
    ? standing.find(({ name }) => name === resource)
    : (standing.find(({ type }) => type === 'SecurityGroup') ?? standing[0]);
  if (!shared) return problem('resource', `The stack has no resource ${resource ?? 'to share'}.`);
  account.faults.shares.push({ stackId: held.stackId, resource: shared.name, withStack });
  return succeed(`${shared.type} ${shared.name} is now in use by stack ${withStack} too.`);
}

/** Takes the first scripted failure that such an apply is big enough for; it strikes once. */
export function failingPosition(
  faults: SandboxFaults,
  stackId: string,
  creations: number,
): { position: number; reason: string } | undefined {
  const index = faults.failures.findIndex(
    (failure) => (failure.stackId ?? stackId) === stackId && failure.position <= creations,
  );
  return index < 0 ? undefined : faults.failures.splice(index, 1)[0];
}

export const sharedWith = (faults: SandboxFaults, stackId: string, resource: string): string | undefined =>
  faults.shares.find((share) => share.stackId === stackId && share.resource === resource)?.withStack;

export const outageOf = (faults: SandboxFaults, stackId: string, now: number): string | undefined =>
  faults.outages.some((outage) => (outage.stackId ?? stackId) === stackId && now < outage.until)
    ? 'The pretend cloud does not answer: an outage was asked for.'
    : undefined;

import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { Fault, FaultInForce } from '../../fault.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { noFaults, type SandboxAccount, type SandboxFaults } from '../cloud.ts';
import type { SimulationTime } from '../plan/schedule.ts';
import { resourcesAt } from '../timeline.ts';
import { noticeSpotInstance } from './spot.ts';

/** Fault injection: stores faults, and answers whether one applies. */

type Kind<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

const problem = (path: string, message: string): Outcome<never> => reject([{ path, message }]);

interface Injection<F = Fault> {
  fault: F;
  /** Undefined: any stack of the account. */
  stack: StackOnVendor | undefined;
}

export function injectFault(
  account: SandboxAccount,
  { fault, stack }: Injection,
  time: SimulationTime,
): Outcome<string> {
  switch (fault.kind) {
    case 'fail_resource':
      return failResource(account.faults, { fault, stack });
    case 'unreachable':
      return startOutage(account.faults, { fault, stack }, time.now);
    case 'spot_notice':
      return noticeSpotInstance(account, { instanceId: fault.instanceId, stackId: stack?.id }, time);
    case 'share_resource':
      return shareResource(account, { fault, stack }, time.now);
    case 'fail_app':
      return failApp(account.faults, { fault, stack });
    case 'clear':
      account.faults = stack ? withoutFaultsOf(account.faults, stack.id) : noFaults();
      return succeed('All faults are cleared.');
  }
}

export const withoutFaultsOf = (
  { failures, outages, shares, apps = [] }: SandboxFaults,
  stackId: string,
): SandboxFaults => ({
  failures: failures.filter((failure) => failure.stackId !== stackId),
  outages: outages.filter((outage) => outage.stackId !== stackId),
  shares: shares.filter((share) => share.stackId !== stackId),
  apps: apps.filter((app) => app.stackId !== stackId),
});

function failResource(
  faults: SandboxFaults,
  { fault: { position, reason }, stack }: Injection<Kind<'fail_resource'>>,
): Outcome<string> {
  if (!Number.isInteger(position) || position < 1)
    return problem('position', 'The position must be an integer of at least 1.');
  faults.failures.push({
    stackId: stack?.id ?? null,
    position,
    reason: reason ?? 'The resource could not be created.',
  });
  return succeed(`Creation number ${position} of the next apply will fail.`);
}

function failApp(
  faults: SandboxFaults,
  { fault: { mode, image = '', reason = '' }, stack }: Injection<Kind<'fail_app'>>,
): Outcome<string> {
  faults.apps = [...(faults.apps ?? []), { stackId: stack?.id ?? null, mode, image, reason }];
  const which = image === '' ? 'Containers' : `Containers of images with "${image}"`;
  return succeed(`${which} fail from now on: ${mode}.`);
}

function startOutage(
  faults: SandboxFaults,
  { fault: { seconds }, stack }: Injection<Kind<'unreachable'>>,
  now: number,
): Outcome<string> {
  if (!Number.isFinite(seconds) || seconds <= 0)
    return problem('seconds', 'The seconds must be a number greater than 0.');
  faults.outages = faults.outages.filter((outage) => outage.until > now);
  faults.outages.push({ stackId: stack?.id ?? null, until: now + seconds * 1000 });
  return succeed(`The cloud is unreachable for ${seconds} seconds.`);
}

function shareResource(
  account: SandboxAccount,
  { fault: { resource, withStack }, stack }: Injection<Kind<'share_resource'>>,
  now: number,
): Outcome<string> {
  const found = stack && account.stacks.get(stack.id);
  if (!found) return problem('stack', 'A stack that exists in the cloud is required.');
  if (withStack === '' || withStack === found.stackId)
    return problem('withStack', 'Name another stack that uses the resource.');
  const resources = resourcesAt(found, now);
  const shared = resource
    ? resources.find(({ name }) => name === resource)
    : (resources.find(({ type }) => type === 'SecurityGroup') ?? resources[0]);
  if (!shared) return problem('resource', `The stack has no resource ${resource ?? 'to share'}.`);
  account.faults.shares.push({ stackId: found.stackId, resource: shared.name, withStack });
  return succeed(`${shared.type} ${shared.name} is now in use by stack ${withStack} too.`);
}

/** Removes and returns the first scripted failure whose position is within the number of creations. */
export function takeScriptedFailure(
  faults: SandboxFaults,
  stackId: string,
  creations: number,
): { position: number; reason: string } | undefined {
  const index = faults.failures.findIndex(
    (failure) => (failure.stackId ?? stackId) === stackId && failure.position <= creations,
  );
  return index < 0 ? undefined : faults.failures.splice(index, 1)[0];
}

/** The other stack that uses a resource, by fault injection. */
export const userOfShared = (faults: SandboxFaults, stackId: string, resource: string): string | undefined =>
  faults.shares.find((share) => share.stackId === stackId && share.resource === resource)?.withStack;

export const outageOf = (faults: SandboxFaults, stackId: string, now: number): string | undefined =>
  faults.outages.some((outage) => (outage.stackId ?? stackId) === stackId && now < outage.until)
    ? 'The sandbox is unreachable: an outage was injected.'
    : undefined;

/** The faults that still wait or last, in the order in which they apply. */
export const faultsInForce = (
  { failures, outages, shares, apps = [] }: SandboxFaults,
  now: number,
): FaultInForce[] => [
  ...outages
    .filter(({ until }) => until > now)
    .map(({ stackId, until }) => ({ kind: 'unreachable' as const, stackId, until })),
  ...failures.map(({ stackId, position, reason }) => ({
    kind: 'fail_resource' as const,
    stackId,
    position,
    reason,
  })),
  ...shares.map(({ stackId, resource, withStack }) => ({
    kind: 'share_resource' as const,
    stackId,
    resource,
    withStack,
  })),
  ...apps.map(({ stackId, mode, image }) => ({ kind: 'fail_app' as const, stackId, mode, image })),
];

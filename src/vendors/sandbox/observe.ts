import type { CacheNode, DatabaseInstance, Instance, Observation, Output, StackView } from '../vendor.ts';
import type { Resource, SandboxStack } from './cloud.ts';
import { observedStores } from './data.ts';
import { type DocumentOutput, textOf } from './document.ts';
import { eventsAt } from './events.ts';
import * as names from './names.ts';
import { addressOf, privateDnsOf, publicDnsOf } from './plan/identity.ts';
import { phaseOf, type ResourceState, resourceStatesAt } from './timeline.ts';

export function observationOf(stack: SandboxStack, now: number): Observation {
  const { version, doing } = stack;
  const view = viewOf(stack, now);
  switch (phaseOf(stack, now)) {
    case 'busy':
      return { kind: 'busy', doing, version, lookAgainMs: untilNextChange(stack, now), view };
    case 'broken':
      return { kind: 'broken', doing, version, reason: stack.failure ?? '', terminal: true, view };
    case 'settled':
      return { kind: 'settled', version, view, ...whileReplacing(stack, now) };
    case 'gone':
      return { kind: 'absent', view };
  }
}

const minLookMs = 100;

function untilNextChange(stack: SandboxStack, now: number): number {
  const changes = stack.steps.flatMap((step) => [step.startsAt, step.endsAt]).filter((at) => at > now);
  return Math.max(minLookMs, Math.min(...changes) - now);
}

/** While a group replaces a member, the stack is settled but changes. */
const whileReplacing = (stack: SandboxStack, now: number): { lookAgainMs?: number } =>
  stack.steps.some((step) => step.endsAt > now) ? { lookAgainMs: untilNextChange(stack, now) } : {};

function viewOf(stack: SandboxStack, now: number): StackView {
  const states = resourceStatesAt(stack, now);
  const ofType = (type: Resource['type']) => states.filter(({ resource }) => resource.type === type);
  return {
    outputs: outputsAt(stack, states, now),
    instances: ofType('Instance').map((state) => instanceOf(state, states, stack.region)),
    databases: ofType('DatabaseInstance').map((state) => databaseOf(state, stack.region)),
    caches: ofType('CacheNode').map((state) => cacheOf(state, stack.region)),
    stores: observedStores(stack, now),
    events: eventsAt(stack, now),
  };
}

export const runningInstances = (stack: SandboxStack, now: number): Instance[] =>
  viewOf(stack, now).instances.filter(({ state }) => state === 'running');

export const instanceIn = (stack: SandboxStack, id: string, now: number): Instance | undefined =>
  viewOf(stack, now).instances.find((instance) => instance.id === id);

const integer = ({ properties }: Resource, key: string): number => Number(properties[key] ?? 0);

const instanceStates = {
  creating: 'pending',
  ready: 'running',
  updating: 'running',
  deleting: 'shutting-down',
} as const;

const serviceStates = {
  creating: 'creating',
  ready: 'available',
  updating: 'modifying',
  deleting: 'deleting',
} as const;

function instanceOf(
  { resource, state }: ResourceState,
  states: readonly ResourceState[],
  region: string,
): Instance {
  const idOf = (name: string) => states.find((other) => other.resource.name === name)?.resource.id ?? '';
  const { privateIp, publicIp } = resource;
  return {
    id: resource.id,
    flag: textOf(resource, 'flag'),
    type: textOf(resource, 'instanceType'),
    image: textOf(resource, 'machineImage'),
    state: instanceStates[state],
    launchedAt: resource.createdAt,
    spot: resource.properties['spot'] === true,
    zone: textOf(resource, 'zone'),
    privateIp: privateIp ?? '',
    privateDns: privateDnsOf(privateIp ?? '', region),
    publicIp,
    publicDns: publicIp && publicDnsOf(publicIp, region),
    networkId: idOf(names.network),
    subnetId: idOf(textOf(resource, 'subnet')),
    keyName: textOf(resource, 'keyName') || null,
  };
}

const roleOf = (resource: Resource) => (resource.properties['role'] === 'replica' ? 'replica' : 'primary');

const databaseOf = ({ resource, state }: ResourceState, region: string): DatabaseInstance => ({
  id: resource.id,
  role: roleOf(resource),
  engine: textOf(resource, 'engine'),
  engineVersion: textOf(resource, 'engineVersion'),
  type: textOf(resource, 'instanceType'),
  storageGib: integer(resource, 'storageGib'),
  zone: textOf(resource, 'zone'),
  state: serviceStates[state],
  address: addressOf(resource, region),
  port: integer(resource, 'port'),
});

const cacheOf = ({ resource, state }: ResourceState, region: string): CacheNode => ({
  id: resource.id,
  role: roleOf(resource),
  engine: textOf(resource, 'engine'),
  type: textOf(resource, 'nodeType'),
  state: serviceStates[state],
  address: addressOf(resource, region),
  port: integer(resource, 'port'),
});

/** An update's new outputs replace the old ones as their resources become ready. After a failure the old ones apply. */
function outputsAt(stack: SandboxStack, states: readonly ResourceState[], now: number): Output[] {
  const phase = phaseOf(stack, now);
  const planned = stack.failure !== null && phase === 'broken' ? [] : stack.outputs;
  const before = phase === 'settled' ? [] : stack.outputsBefore;
  const ready = states.filter(({ state }) => state === 'ready' || state === 'updating');
  const resolved = [...before, ...planned].flatMap((output) => outputOf(output, ready, stack.region));
  return [...new Map(resolved.map((output) => [output.key, output])).values()];
}

function outputOf(output: DocumentOutput, ready: readonly ResourceState[], region: string): Output[] {
  const values = output.of.map((name) => {
    const found = ready.findLast(({ resource }) => resource.name === name)?.resource;
    if (!found) return null;
    if (output.value === 'publicAddress') return found.publicIp;
    return output.value === 'port' ? String(integer(found, 'port')) : addressOf(found, region);
  });
  if (values.includes(null)) return [];
  return [{ key: output.key, value: values.join(','), description: output.description }];
}

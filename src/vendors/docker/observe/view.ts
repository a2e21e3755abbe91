import { keyPairName } from '../../../model/names.ts';
import {
  type CacheNode,
  type DatabaseInstance,
  emptyView,
  type Instance,
  type Output,
  type StackView,
} from '../../vendor.ts';
import { type DockerDocument, type DocumentOutput, memberAt, type Service } from '../document.ts';
import { shortId, stackName } from '../names.ts';
import type { ObservedStack, StackContainer } from '../observed-stack.ts';
import { slotStates } from '../plan/fleet.ts';
import { atSizes } from '../plan/scaling.ts';
import { containersFor } from '../plan/service.ts';
import { eventsOf } from './events.ts';
import { storesIn } from './stores.ts';

export function viewOf(stackId: string, observed: ObservedStack, now: number): StackView {
  const [newest] = observed.markers;
  const stores = storesIn(stackId, observed, now);
  if (!newest) return { ...emptyView, stores };
  const { doing } = newest;
  const document = atSizes(newest.document, newest.sizes);
  const services = document.services.flatMap((service) => {
    const { current } = containersFor(service, observed);
    return current ? [{ service, container: current }] : [];
  });
  const ofKind = (kind: Service['kind']) => services.filter(({ service }) => service.kind === kind);
  return {
    outputs:
      doing === 'remove' || !observed.hasNetwork
        ? []
        : document.outputs.flatMap((output) => outputOf(output, document, observed)),
    instances: observed.containers
      .filter(({ kind }) => kind === 'instance')
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map((container) => instanceOf(stackId, document, container)),
    databases: ofKind('database').map(({ service, container }) => databaseOf(service, container)),
    caches: ofKind('cache').map(({ service, container }) => cacheOf(service, container)),
    stores,
    events: eventsOf(observed, now),
  };
}

/** The state in the terms of a cloud. */
function stateOf({ state, phase }: StackContainer): Instance['state'] {
  if (state === 'ended') return 'stopped';
  return state === 'running' && phase.kind !== 'starting' ? 'running' : 'pending';
}

/** An instance whose slot is gone from the document is being removed; its zone is no longer known. */
function instanceOf(stackId: string, document: DockerDocument, container: StackContainer): Instance {
  const { id, flag, type, image, spot, createdAt, address, part } = container;
  const hasKey = document.fleets.some((fleet) => fleet.flag === flag && fleet.keyPair);
  return {
    id: shortId(id),
    flag,
    type,
    image,
    state: stateOf(container),
    launchedAt: createdAt,
    spot,
    zone: memberAt(document, part)?.slot.zone ?? document.region,
    privateIp: address,
    // Engines resolve the short id as a name.
    privateDns: shortId(id),
    publicIp: null,
    publicDns: null,
    networkId: stackName(stackId),
    subnetId: stackName(stackId),
    keyName: hasKey ? keyPairName(stackId, flag) : null,
  };
}

const serviceState = ({ state, ready }: StackContainer): string =>
  state === 'running' && ready ? 'available' : state === 'ended' ? 'stopped' : 'creating';

const databaseOf = (service: Service, container: StackContainer): DatabaseInstance => ({
  id: shortId(container.id),
  role: service.role,
  engine: service.engine,
  // The version of the image: the document does not decide it.
  engineVersion: '',
  type: service.type,
  storageGib: service.storageGib,
  zone: service.zone,
  state: serviceState(container),
  address: service.name,
  port: service.port,
});

const cacheOf = (service: Service, container: StackContainer): CacheNode => ({
  id: shortId(container.id),
  role: service.role,
  engine: service.engine,
  type: service.type,
  state: serviceState(container),
  address: service.name,
  port: service.port,
});

/** Omitted until every value is known. Names of services are known before they run, so agents get them early. */
function outputOf(
  { key, description, of, value }: DocumentOutput,
  document: DockerDocument,
  observed: ObservedStack,
): Output[] {
  const values = of.map((name) => {
    const service = document.services.find((each) => each.name === name);
    if (service) return value === 'port' ? String(service.port) : service.name;
    return balancerAddress(name, document, observed) ?? serverAddress(name, document, observed);
  });
  return values.includes(undefined) ? [] : [{ key, value: values.join(','), description }];
}

const anyAddress = new Set(['', '0.0.0.0', '::']);

/** The address on the machine. */
function balancerAddress(
  name: string,
  document: DockerDocument,
  observed: ObservedStack,
): string | undefined {
  const balancer = document.balancers.find((each) => each.name === name);
  const current = balancer && containersFor(balancer, observed).current;
  const port = balancer?.listeners[0]?.port;
  const published = current?.ports.find((each) => each.port === port);
  if (!published) return undefined;
  const host = anyAddress.has(published.hostAddress) ? '127.0.0.1' : published.hostAddress;
  return `${host}:${published.hostPort}`;
}

function serverAddress(name: string, document: DockerDocument, observed: ObservedStack): string | undefined {
  const fleet = document.fleets.find(({ slots }) => slots.some((slot) => slot.name === name));
  const state = fleet && slotStates(fleet, observed).find(({ slot }) => slot.name === name);
  return (state?.current ?? state?.outgoing[0])?.address || undefined;
}

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
import { placesOf } from '../plan/fleet.ts';
import { standingFor } from '../plan/service.ts';
import type { Running, Standing } from '../running.ts';
import { eventsOf } from './events.ts';

/** What there is of a stack, for people and for the rest of Almanac. */
export function viewOf(stackId: string, running: Running): StackView {
  const [newest] = running.markers;
  if (!newest) return emptyView;
  const { document, doing } = newest;
  const services = document.services.flatMap((service) => {
    const { current } = standingFor(service, running);
    return current ? [{ service, standing: current }] : [];
  });
  const ofKind = (kind: Service['kind']) => services.filter(({ service }) => service.kind === kind);
  return {
    outputs:
      doing === 'remove' || !running.hasNetwork
        ? []
        : document.outputs.flatMap((output) => outputOf(output, document, running)),
    instances: running.containers
      .filter(({ kind }) => kind === 'instance')
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map((standing) => instanceOf(stackId, document, standing)),
    databases: ofKind('database').map(({ service, standing }) => databaseOf(service, standing)),
    caches: ofKind('cache').map(({ service, standing }) => cacheOf(service, standing)),
    events: eventsOf(stackId, running),
  };
}

/** In the words of a cloud. */
function stateOf({ state, phase }: Standing): Instance['state'] {
  if (state === 'ended') return 'stopped';
  return state === 'running' && phase.kind !== 'starting' ? 'running' : 'pending';
}

/** One whose place is gone from the document is on its way out, and its place is no longer known. */
function instanceOf(stackId: string, document: DockerDocument, standing: Standing): Instance {
  const { id, flag, type, image, spot, createdAt, address, part } = standing;
  const hasKey = document.fleets.some((fleet) => fleet.flag === flag && fleet.keyPair);
  return {
    id: shortId(id),
    flag,
    type,
    image,
    state: stateOf(standing),
    launchedAt: createdAt,
    spot,
    zone: memberAt(document, part)?.slot.zone ?? document.region,
    privateIp: address,
    // Engines know containers by this name too.
    privateDns: shortId(id),
    publicIp: null,
    publicDns: null,
    networkId: stackName(stackId),
    subnetId: stackName(stackId),
    keyName: hasKey ? keyPairName(stackId, flag) : null,
  };
}

const serviceState = ({ state, ready }: Standing): string =>
  state === 'running' && ready ? 'available' : state === 'ended' ? 'stopped' : 'creating';

const databaseOf = (service: Service, standing: Standing): DatabaseInstance => ({
  id: shortId(standing.id),
  role: service.role,
  engine: service.engine,
  // Whichever the image has: a document's wish does not change it.
  engineVersion: '',
  type: service.type,
  storageGib: service.storageGib,
  zone: service.zone,
  state: serviceState(standing),
  address: service.name,
  port: service.port,
});

const cacheOf = (service: Service, standing: Standing): CacheNode => ({
  id: shortId(standing.id),
  role: service.role,
  engine: service.engine,
  type: service.type,
  state: serviceState(standing),
  address: service.name,
  port: service.port,
});

/** Left out until every value is known. Names of services are known before they run, and tell agents early. */
function outputOf(
  { key, description, of, value }: DocumentOutput,
  document: DockerDocument,
  running: Running,
): Output[] {
  const values = of.map((name) => {
    const service = document.services.find((each) => each.name === name);
    if (service) return value === 'port' ? String(service.port) : service.name;
    return balancerAddress(name, document, running) ?? serverAddress(name, document, running);
  });
  return values.includes(undefined) ? [] : [{ key, value: values.join(','), description }];
}

const everywhere = new Set(['', '0.0.0.0', '::']);

/** Where it is reached from the machine. */
function balancerAddress(name: string, document: DockerDocument, running: Running): string | undefined {
  const balancer = document.balancers.find((each) => each.name === name);
  const current = balancer && standingFor(balancer, running).current;
  const port = balancer?.listeners[0]?.port;
  const published = current?.ports.find((each) => each.port === port);
  if (!published) return undefined;
  const host = everywhere.has(published.hostAddress) ? '127.0.0.1' : published.hostAddress;
  return `${host}:${published.hostPort}`;
}

function serverAddress(name: string, document: DockerDocument, running: Running): string | undefined {
  const fleet = document.fleets.find(({ slots }) => slots.some((slot) => slot.name === name));
  const place = fleet && placesOf(fleet, running).find(({ slot }) => slot.name === name);
  return (place?.fresh ?? place?.old[0])?.address || undefined;
}

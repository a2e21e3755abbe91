import type { DeclaredResource } from '../resources.ts';
import type { Balancer, DockerDocument, Fleet, Service, Slot } from './document.ts';

/** Everything is in the network of the stack. */
const network: DeclaredResource = {
  name: 'network',
  type: 'Network',
  kind: 'network',
  layer: null,
  dependsOn: [],
  definition: null,
};

const volumeResource = (name: string): DeclaredResource => ({
  name,
  type: 'Volume',
  kind: 'other',
  layer: null,
  dependsOn: [],
  definition: null,
});

const serviceResource = ({ name, kind, volume, primary, ...rest }: Service): DeclaredResource => ({
  name,
  type: kind === 'database' ? 'DatabaseInstance' : 'CacheNode',
  kind,
  layer: null,
  dependsOn: [network.name, volume, primary].filter((other) => other !== null).toSorted(),
  definition: { volume, primary, ...rest },
});

const groupResource = ({ flag, scaling }: Fleet): DeclaredResource => ({
  name: flag,
  type: 'Group',
  kind: 'group',
  layer: flag,
  dependsOn: [network.name],
  definition: scaling,
});

const volumesOf = (files: Fleet['files'], { volume }: Slot): string[] =>
  [files?.volume, volume].filter((each) => each !== undefined);

function serverResource(fleet: Fleet, slot: Slot): DeclaredResource {
  const { flag, inGroup, files, hash } = fleet;
  return {
    name: slot.name,
    type: 'Instance',
    kind: 'server',
    layer: flag,
    dependsOn: [network.name, ...volumesOf(files, slot), ...(inGroup ? [flag] : [])].toSorted(),
    definition: { hash, slot },
  };
}

/** A balancer starts without its servers and sends them requests when they are ready; a picture has it before them. */
const balancerResource = ({ name, flag, ...rest }: Balancer): DeclaredResource => ({
  name,
  type: 'LoadBalancer',
  kind: 'balancer',
  layer: flag,
  dependsOn: [network.name],
  definition: rest,
});

/** Not the servers that load adds to a group: the document has only the smallest size. */
export const resourcesOf = (document: DockerDocument): DeclaredResource[] => [
  network,
  ...document.volumes.map(volumeResource),
  ...document.services.map(serviceResource),
  ...document.balancers.map(balancerResource),
  ...document.fleets.flatMap((fleet) => [
    ...(fleet.inGroup ? [groupResource(fleet)] : []),
    ...fleet.slots.map((slot) => serverResource(fleet, slot)),
  ]),
];

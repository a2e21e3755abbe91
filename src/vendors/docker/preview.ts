import { isDeepStrictEqual } from 'node:util';
import { losses } from '../shared/losses.ts';
import type { PlannedChange } from '../vendor.ts';
import type { Balancer, DockerDocument, Fleet, Service, Slot } from './document.ts';

/** A part of a document. Another `hash` means a new container. */
interface Part {
  name: string;
  type: string;
  hash: string;
  members: Readonly<Record<string, unknown>>;
  /** The warning when it is removed. */
  loss: string;
}

const serverPart = ({ flag, instanceType, keyPair, files, hash }: Fleet, slot: Slot): Part => ({
  name: slot.name,
  type: 'Instance',
  hash,
  members: { flag, instanceType, keyPair, files, spot: slot.spot, zone: slot.zone },
  loss: losses.disk,
});

const balancerPart = ({ name, hash, ...members }: Balancer): Part => ({
  name,
  type: 'LoadBalancer',
  hash,
  members,
  loss: '',
});

const servicePart = ({ name, hash, ...members }: Service): Part => ({
  name,
  type: members.kind === 'database' ? 'DatabaseInstance' : 'CacheNode',
  hash,
  members,
  // What has a volume, or copies of other data, loses nothing; the volume has its own warning.
  loss: members.kind === 'cache' && members.role === 'primary' && !members.volume ? losses.cache : '',
});

const volumePart = (name: string): Part => ({
  name,
  type: 'Volume',
  hash: '',
  members: {},
  loss: '',
});

const partsOf = (document: DockerDocument): Map<string, Part> => {
  const { fleets, balancers, services, volumes } = document;
  const parts = [
    ...volumes.map(volumePart),
    ...fleets.flatMap((fleet) => fleet.slots.map((slot) => serverPart(fleet, slot))),
    ...balancers.map(balancerPart),
    ...services.map(servicePart),
  ];
  return new Map(parts.map((part) => [`${part.type} ${part.name}`, part]));
};

/** Its data moves from its container to the volume. */
const getsVolume = (before: Part, after: Part): boolean =>
  before.members['engine'] === after.members['engine'] && Boolean(after.members['volume']);

function changeOf(before: Part | undefined, after: Part): PlannedChange[] {
  const { name: resource, type: resourceType } = after;
  if (!before) return [{ action: 'add', resource, resourceType, members: [], warning: '' }];
  const members = Object.keys({ ...before.members, ...after.members }).filter(
    (member) => !isDeepStrictEqual(before.members[member], after.members[member]),
  );
  if (before.hash === after.hash && members.length === 0) return [];
  if (before.hash === after.hash) return [{ action: 'change', resource, resourceType, members, warning: '' }];
  const warning = getsVolume(before, after) ? '' : before.loss;
  return [{ action: 'replace', resource, resourceType, members, warning }];
}

/** The changes `apply` would make, by the same rules. */
export function preview(before: DockerDocument | null, after: DockerDocument): PlannedChange[] {
  const existing = before ? partsOf(before) : new Map<string, Part>();
  const desired = partsOf(after);
  const removed = [...existing].filter(([key]) => !desired.has(key));
  return [
    ...[...desired].flatMap(([key, part]) => changeOf(existing.get(key), part)),
    ...removed.map(
      ([, { name, type, loss }]): PlannedChange => ({
        action: 'remove',
        resource: name,
        resourceType: type,
        members: [],
        warning: loss,
      }),
    ),
  ];
}

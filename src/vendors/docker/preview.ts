import { isDeepStrictEqual } from 'node:util';
import type { PlannedChange } from '../vendor.ts';
import type { Balancer, DockerDocument, Fleet, Service, Slot } from './document.ts';

/** A part of a document. Another `hash` means a new container. */
interface Part {
  name: string;
  type: string;
  hash: string;
  members: Readonly<Record<string, unknown>>;
}

const serverPart = ({ flag, instanceType, keyPair, files, hash }: Fleet, slot: Slot): Part => ({
  name: slot.name,
  type: 'Instance',
  hash,
  members: { flag, instanceType, keyPair, files, spot: slot.spot, zone: slot.zone },
});

const balancerPart = ({ name, hash, ...members }: Balancer): Part => ({
  name,
  type: 'LoadBalancer',
  hash,
  members,
});

const servicePart = ({ name, hash, ...members }: Service): Part => ({
  name,
  type: members.kind === 'database' ? 'DatabaseInstance' : 'CacheNode',
  hash,
  members,
});

const volumePart = (name: string): Part => ({
  name,
  type: 'Volume',
  hash: '',
  members: {},
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

function changeOf(before: Part | undefined, after: Part): PlannedChange[] {
  const { name: resource, type: resourceType } = after;
  if (!before) return [{ action: 'add', resource, resourceType, members: [], warning: '' }];
  const members = Object.keys({ ...before.members, ...after.members }).filter(
    (member) => !isDeepStrictEqual(before.members[member], after.members[member]),
  );
  if (before.hash === after.hash && members.length === 0) return [];
  const action = before.hash === after.hash ? 'change' : 'replace';
  return [{ action, resource, resourceType, members, warning: '' }];
}

/** The changes `apply` would make, by the same rules. */
export function preview(before: DockerDocument | null, after: DockerDocument): PlannedChange[] {
  const existing = before ? partsOf(before) : new Map<string, Part>();
  const desired = partsOf(after);
  const removed = [...existing].filter(([key]) => !desired.has(key));
  return [
    ...[...desired].flatMap(([key, part]) => changeOf(existing.get(key), part)),
    ...removed.map(
      ([, { name, type }]): PlannedChange => ({
        action: 'remove',
        resource: name,
        resourceType: type,
        members: [],
        warning: '',
      }),
    ),
  ];
}

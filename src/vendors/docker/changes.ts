import { at } from '../../basics/problem.ts';
import type { Database, Layer, StackModel } from '../../model/stack-model.ts';
import type { Remark } from '../portability.ts';

/** What has another meaning on one machine, or none. */
export const changes = ({ layers, databases, tags = {} }: StackModel): Remark[] => [
  ...(Object.keys(tags).length > 0 ? [{ path: 'tags', message: 'Containers carry no tags.' }] : []),
  {
    path: 'networkCidr',
    message: 'One network for the whole stack, with addresses that the engine chooses.',
  },
  ...layers.flatMap((layer, index) => [
    ...remarksAt(at('layers', index), layerNotes(layer)),
    ...remarksAt(at('layers', index, 'capacity'), capacityNotes(layer)),
    ...remarksAt(at('layers', index, 'loadBalancer'), balancerNotes(layer)),
  ]),
  ...databases.flatMap((database, index) => remarksAt(at('databases', index), databaseNotes(database))),
];

const remarksAt = (path: string, notes: Readonly<Record<string, string | false>>): Remark[] =>
  Object.entries(notes).flatMap(([member, message]) =>
    message === false ? [] : [{ path: at(path, member), message }],
  );

const layerNotes = ({ instanceType, machineImage, zone, volume, networkAcl, securityGroup }: Layer) => ({
  instanceType:
    instanceType !== null && `${instanceType} is only a name: nothing limits memory or processors.`,
  machineImage: machineImage !== null && `Instances run the image of Almanac, not ${machineImage}.`,
  zone: zone !== null && `Zone ${zone} is only a name: everything runs on one machine.`,
  volume:
    (volume.sizeGib !== null || volume.type !== null) &&
    'Has no effect: instances use the disk of the machine.',
  subnet: 'No subnet of its own: the addresses are those of the network of the stack.',
  networkAcl: networkAcl.length > 0 && 'Not enforced: containers of a stack reach each other on every port.',
  securityGroup:
    securityGroup.ingress.length + securityGroup.egress.length > 0 &&
    'Not enforced: containers of a stack reach each other on every port.',
});

const capacityNotes = ({ capacity }: Layer) => ({
  spotPercent: capacity.kind === 'group' && capacity.spotPercent > 0 && 'Spot instances run like any others.',
  scaling:
    capacity.kind === 'group' &&
    capacity.scaling?.metric === 'requests' &&
    'Requests are not counted: the group scales at 60 percent of the processor.',
});

const balancerNotes = ({ loadBalancer }: Layer) => ({
  '': loadBalancer !== null && 'A proxy, published on a port of the machine.',
});

const databaseNotes = ({ engine, engineVersion, multiZone }: Database) => ({
  engine: engine === 'mysql' && 'MariaDB takes the place of MySQL.',
  engineVersion: engineVersion !== null && `The version of the image, not ${engineVersion}.`,
  multiZone: multiZone && 'No copy in a second zone: everything runs on one machine.',
  storageGib: 'The size has no effect: the volume uses the disk of the machine.',
});

import { keyPairName } from '../../../model/names.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { defaultZone } from '../catalog.ts';
import type { DocumentResource } from '../document.ts';
import * as names from '../names.ts';

/** The stack's network, with an internet gateway. */
export const stackNetwork = (model: StackModel): DocumentResource[] => [
  {
    name: names.network,
    type: 'VirtualNetwork',
    dependsOn: [],
    properties: { cidr: model.networkCidr, dnsSupport: true, dnsHostnames: true },
  },
  { name: names.gateway, type: 'InternetGateway', dependsOn: [], properties: {} },
  {
    name: names.gatewayAttachment,
    type: 'GatewayAttachment',
    dependsOn: [names.network, names.gateway],
    properties: { network: names.network, gateway: names.gateway },
  },
];

export const zoneOf = (model: StackModel, layer: Layer): string => layer.zone ?? defaultZone(model.region);

/** A layer's resources except servers: subnet, routes, access rules, key pair and file system. */
export function layerNetwork(model: StackModel, layer: Layer, stackId: string): DocumentResource[] {
  const resources = [subnet(model, layer), securityGroup(layer)];
  if (layer.subnet.public) resources.push(routeTable(layer));
  if (layer.networkAcl.length > 0) resources.push(networkAcl(layer));
  if (layer.keyPair) resources.push(keyPair(layer, stackId));
  if (needsFileSystem(layer)) resources.push(fileSystem(layer));
  return resources;
}

const subnet = (model: StackModel, layer: Layer): DocumentResource => ({
  name: names.subnet(layer.flag),
  type: 'Subnet',
  dependsOn: [names.network],
  properties: {
    flag: layer.flag,
    role: layer.role,
    cidr: layer.subnet.cidr,
    zone: zoneOf(model, layer),
    assignPublicIp: layer.subnet.public && layer.subnet.assignPublicIp,
  },
});

/** Only a public subnet has a route to the internet. */
const routeTable = ({ flag }: Layer): DocumentResource => ({
  name: names.routeTable(flag),
  type: 'RouteTable',
  dependsOn: [names.gatewayAttachment, names.subnet(flag)],
  properties: {
    subnet: names.subnet(flag),
    routes: [{ cidr: '0.0.0.0/0', gateway: names.gateway }],
  },
});

const networkAcl = ({ flag, networkAcl: rules }: Layer): DocumentResource => ({
  name: names.networkAcl(flag),
  type: 'NetworkAcl',
  dependsOn: [names.subnet(flag)],
  properties: { subnet: names.subnet(flag), rules },
});

const securityGroup = ({ flag, securityGroup: { ingress, egress } }: Layer): DocumentResource => ({
  name: names.securityGroup(flag),
  type: 'SecurityGroup',
  dependsOn: [names.network],
  properties: { flag, ingress, egress },
});

const keyPair = ({ flag }: Layer, stackId: string): DocumentResource => ({
  name: names.keyPair(flag),
  type: 'KeyPair',
  dependsOn: [],
  properties: { keyName: keyPairName(stackId, flag) },
});

/** A network file system without an id must be created. */
export const needsFileSystem = ({ container }: Layer): boolean =>
  container?.storage?.kind === 'efs' && container.storage.id === null;

const fileSystem = ({ flag }: Layer): DocumentResource => ({
  name: names.fileSystem(flag),
  type: 'FileSystem',
  dependsOn: [names.subnet(flag)],
  properties: { subnet: names.subnet(flag) },
});

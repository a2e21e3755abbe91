import type { Layer } from '../../../model/stack-model.ts';
import { type Properties, resource } from '../document.ts';
import { hasDataNetwork } from '../layout/data-block.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

/** Networks lie in a zone only on some clouds. */
const zoned = ({ dialect, choices }: Context): Properties =>
  dialect.zonedNetworks ? { availability_zone: choices.zone } : {};

const networkEntry = (context: Context, id: string, name: string): Entry => [
  id,
  { type: 'OS::Neutron::Net', properties: { name, ...zoned(context) } },
];

interface SubnetInput {
  id: string;
  network: string;
  cidr: string;
}

const subnetEntry = (context: Context, { id, network, cidr }: SubnetInput): Entry => [
  id,
  {
    type: 'OS::Neutron::Subnet',
    properties: {
      [context.dialect.members.network]: resource(network),
      cidr,
      ip_version: 4,
      ...zoned(context),
    },
  },
];

const interfaceEntry = ({ dialect: { members } }: Context, id: string, subnet: string): Entry => [
  id,
  {
    type: 'OS::Neutron::RouterInterface',
    properties: { [members.router]: resource(names.router), [members.subnet]: resource(subnet) },
  },
];

/** The network and the router of the stack. The router translates addresses: it is the way out for all servers. */
export const stackNetwork = (context: Context): Entry[] => [
  networkEntry(context, names.network, context.stackId),
  [
    names.router,
    {
      type: 'OS::Neutron::Router',
      properties: {
        name: context.stackId,
        external_gateway_info: { network: context.choices.externalNetwork },
      },
    },
  ],
  ...(hasDataNetwork(context.model) ? dataNetwork(context) : []),
];

/** Databases and caches have a network of their own: Trove takes any subnet of a network. */
const dataNetwork = (context: Context): Entry[] => [
  networkEntry(context, names.dataNetwork, `${context.stackId}-data`),
  subnetEntry(context, {
    id: names.dataSubnet,
    network: names.dataNetwork,
    cidr: context.choices.dataCidr,
  }),
  interfaceEntry(context, names.dataRouterInterface, names.dataSubnet),
];

export const layerNetwork = (context: Context, { flag, subnet }: Layer): Entry[] => [
  subnetEntry(context, { id: names.subnet(flag), network: names.network, cidr: subnet.cidr }),
  interfaceEntry(context, names.routerInterface(flag), names.subnet(flag)),
];

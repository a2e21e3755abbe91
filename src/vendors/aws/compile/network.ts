import type { Layer } from '../../../model/stack-model.ts';
import { attribute, type CompiledResource, type Json, ref, versionParameter } from '../document.ts';
import { layerSubnets, needsNat } from '../layout/placement.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

const anywhere = '0.0.0.0/0';

/** The VPC of a stack, with its internet gateway and the subnets outside layers. */
export const stackNetwork = (context: Context): Entry[] => [
  [
    names.network,
    {
      Type: 'AWS::EC2::VPC',
      Metadata: { [versionParameter]: ref(versionParameter) },
      Properties: {
        CidrBlock: context.model.networkCidr,
        EnableDnsSupport: true,
        EnableDnsHostnames: true,
      },
    },
  ],
  [names.gateway, { Type: 'AWS::EC2::InternetGateway' }],
  [
    names.gatewayAttachment,
    {
      Type: 'AWS::EC2::VPCGatewayAttachment',
      Properties: { VpcId: ref(names.network), InternetGatewayId: ref(names.gateway) },
    },
  ],
  [names.publicRouteTable, routeTable],
  [
    names.publicRoute,
    {
      Type: 'AWS::EC2::Route',
      DependsOn: [names.gatewayAttachment],
      Properties: routeProperties(names.publicRouteTable, { GatewayId: ref(names.gateway) }),
    },
  ],
  ...balancerSubnet(context),
  ...dataSubnets(context),
  ...natGateway(context),
];

const routeTable: CompiledResource = {
  Type: 'AWS::EC2::RouteTable',
  Properties: { VpcId: ref(names.network) },
};

const routeProperties = (table: string, target: Record<string, Json>) => ({
  RouteTableId: ref(table),
  DestinationCidrBlock: anywhere,
  ...target,
});

interface SubnetInput {
  cidr: string;
  zone: string;
  assignPublicIp: boolean;
}

const subnet = ({ cidr, zone, assignPublicIp }: SubnetInput): CompiledResource => ({
  Type: 'AWS::EC2::Subnet',
  Properties: {
    VpcId: ref(names.network),
    CidrBlock: cidr,
    AvailabilityZone: zone,
    MapPublicIpOnLaunch: assignPublicIp,
  },
});

const association = (subnetId: string, table: string): Entry => [
  names.routeTableAssociation(subnetId),
  {
    Type: 'AWS::EC2::SubnetRouteTableAssociation',
    Properties: { SubnetId: ref(subnetId), RouteTableId: ref(table) },
  },
];

/** The subnets of a layer. A private subnet without servers has no route to the internet. */
export const layerSubnetEntries = (context: Context, layer: Layer): Entry[] => {
  const { public: isPublic, assignPublicIp } = layer.subnet;
  const routes = isPublic ? names.publicRouteTable : names.privateRouteTable;
  const hasRoutes = isPublic || needsNat(context.model, layer);
  return layerSubnets(layer, context.choices).flatMap(({ id, cidr, zone }): Entry[] => {
    const entry: Entry = [id, subnet({ cidr, zone, assignPublicIp: isPublic && assignPublicIp })];
    return hasRoutes ? [entry, association(id, routes)] : [entry];
  });
};

/** The resources that must exist before a server in the layer's subnets can reach the internet. */
export const routeDependencies = ({ model, choices }: Context, host: Layer): string[] => {
  if (!host.subnet.public && !needsNat(model, host)) return [];
  const route = host.subnet.public ? names.publicRoute : names.privateRoute;
  return [route, ...layerSubnets(host, choices).map(({ id }) => names.routeTableAssociation(id))];
};

function publicSubnet(id: string, { choices }: Context, zone: string): Entry[] {
  const cidr = choices.cidrs[id] ?? '';
  return [[id, subnet({ cidr, zone, assignPublicIp: false })], association(id, names.publicRouteTable)];
}

const balancerSubnet = (context: Context): Entry[] => {
  const { ownZone } = context.balancers;
  return ownZone ? publicSubnet(names.balancerSubnet, context, ownZone) : [];
};

/** AWS requires two zones for databases and caches, even if they use only one. They need no internet access. */
function dataSubnets({ model, choices: { cidrs, zones } }: Context): Entry[] {
  if (model.databases.length + model.caches.length === 0) return [];
  return [1, 2].map((index) => {
    const id = names.dataSubnet(index);
    return [id, subnet({ cidr: cidrs[id] ?? '', zone: zones[index - 1] ?? '', assignPublicIp: false })];
  });
}

/** One for the whole stack: each costs as much as a small server. */
function natGateway(context: Context): Entry[] {
  if (!context.model.layers.some((layer) => needsNat(context.model, layer))) return [];
  return [
    ...publicSubnet(names.natSubnet, context, context.choices.zones[0] ?? ''),
    [
      names.natAddress,
      { Type: 'AWS::EC2::EIP', DependsOn: [names.gatewayAttachment], Properties: { Domain: 'vpc' } },
    ],
    [
      names.natGateway,
      {
        Type: 'AWS::EC2::NatGateway',
        DependsOn: [names.publicRoute, names.routeTableAssociation(names.natSubnet)],
        Properties: {
          AllocationId: attribute(names.natAddress, 'AllocationId'),
          SubnetId: ref(names.natSubnet),
        },
      },
    ],
    [names.privateRouteTable, routeTable],
    [
      names.privateRoute,
      {
        Type: 'AWS::EC2::Route',
        Properties: routeProperties(names.privateRouteTable, { NatGatewayId: ref(names.natGateway) }),
      },
    ],
  ];
}

import type { Layer } from '../../../model/stack-model.ts';
import { attribute, ref, versionParameter } from '../document.ts';
import { needsNat } from '../layout/placement.ts';
import { ownSubnets } from '../layout/reserve-subnets.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';

/** The network of the stack, and the VSwitches outside layers. The version makes every update a real change: ROS refuses others. */
export const stackNetwork = (context: Context): Entry[] => [
  [
    names.network,
    {
      Type: 'ALIYUN::ECS::VPC',
      Properties: {
        CidrBlock: context.model.networkCidr,
        VpcName: context.stackId,
        Description: { 'Fn::Sub': `Almanac \${${versionParameter}}` },
      },
    },
  ],
  ...ownSubnets(context.model, context.choices.cidrs).map((id) =>
    subnetEntry(context, id, context.choices.cidrs[id] ?? ''),
  ),
  ...natGateway(context),
];

const subnetEntry = ({ choices }: Context, id: string, cidr: string): Entry => [
  id,
  {
    Type: 'ALIYUN::ECS::VSwitch',
    Properties: { VpcId: ref(names.network), CidrBlock: cidr, ZoneId: choices.places[id] ?? '' },
  },
];

/** Mbit/s. Traffic is paid, not bandwidth. */
export const internetMbits = 100;

/** One for the whole stack. */
function natGateway({ model }: Context): Entry[] {
  if (!model.layers.some((layer) => needsNat(model, layer))) return [];
  return [
    [
      names.natGateway,
      {
        Type: 'ALIYUN::VPC::NatGateway',
        Properties: {
          VpcId: ref(names.network),
          VSwitchId: ref(names.natSubnet),
          NatType: 'Enhanced',
          NetworkType: 'internet',
          InternetChargeType: 'PayByLcu',
        },
      },
    ],
    [
      names.natAddress,
      {
        Type: 'ALIYUN::VPC::EIP',
        Properties: { Bandwidth: internetMbits, InternetChargeType: 'PayByTraffic' },
      },
    ],
    [
      names.natAddressAssociation,
      {
        Type: 'ALIYUN::VPC::EIPAssociation',
        Properties: {
          AllocationId: attribute(names.natAddress, 'AllocationId'),
          InstanceId: ref(names.natGateway),
        },
      },
    ],
  ];
}

export const layerNetwork = (context: Context, layer: Layer): Entry[] => [
  subnetEntry(context, names.subnet(layer.flag), layer.subnet.cidr),
  ...snatEntry(context, layer),
];

/** The way out of a private VSwitch. One for each, because ROS cannot change the VSwitches of an entry. */
const snatEntry = ({ model }: Context, layer: Layer): Entry[] =>
  needsNat(model, layer)
    ? [
        [
          names.snatEntry(layer.flag),
          {
            Type: 'ALIYUN::VPC::SnatEntry',
            ...dependsOn([names.natAddressAssociation]),
            Properties: {
              SnatTableId: attribute(names.natGateway, 'SNatTableId'),
              SnatIp: attribute(names.natAddress, 'EipAddress'),
              SourceVSwitchIds: [ref(names.subnet(layer.flag))],
            },
          },
        ],
      ]
    : [];

/** What must exist before a server in the layer's VSwitch can reach the internet. */
export const routeDependencies = ({ model }: Context, host: Layer): string[] =>
  needsNat(model, host) ? [names.snatEntry(host.flag)] : [];

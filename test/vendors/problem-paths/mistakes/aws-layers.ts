import {
  all,
  architecture,
  containerOf,
  groupOf,
  inLayer,
  layerOf,
  type Mistake,
  provision,
  type,
} from './draft.ts';
import { cidr } from './shared.ts';

const rule = `${provision}/security_group/ingress/0`;
const acl = `${provision}/network_acl/0`;
const aclRule = { number: 1, protocol: '6', action: 'allow', egress: false, cidr: '0.0.0.0/0' } as const;

export const awsServers: Mistake[] = [
  inLayer('a name that is not ASCII', (layer) => void (layer.flag = 'Web層'), { v3: 'flag', v2: all }),
  inLayer('an invalid type', (layer) => void (layer.instanceType = 'micro'), {
    v3: 'instance_type',
    v2: type,
  }),
  inLayer('an invalid image', (layer) => void (layer.machineImage = 'ubuntu'), { v3: 'image', v2: type }),
  inLayer('a zone of another region', (layer) => void (layer.zone = 'us-east-1a'), {
    v3: 'availability_zone',
    v2: type,
  }),
  inLayer('an unsupported volume', ({ volume }) => void (volume.type = 'st1'), {
    v3: 'volume_type',
    v2: all,
  }),
  inLayer(
    'a volume that is too small',
    ({ volume }) => void Object.assign(volume, { type: 'io1', sizeGib: 1 }),
    {
      v3: 'volume_size',
      v2: all,
    },
  ),
  inLayer('a subnet that is too small', ({ subnet }) => void (subnet.cidr = '10.0.0.0/30'), cidr),
  {
    what: 'a group in a zone without a subnet',
    make: (model) => {
      groupOf(model).zones = ['ap-northeast-1a', 'ap-northeast-1d'];
      for (const layer of model.layers.slice(0, 1)) layer.subnet.cidr = '10.0.0.0/28';
    },
    v3: `${provision}/auto_scaling/availability_zones`,
    v2: architecture,
    options: { choices: { spread: {} } },
  },
  {
    what: 'a group in a zone of another region',
    make: (model) => void (groupOf(model).zones = ['us-east-1a']),
    v3: `${provision}/auto_scaling/availability_zones`,
    v2: architecture,
  },
];

export const awsTraffic: Mistake[] = [
  inLayer('an invalid source', ({ securityGroup }) => void (securityGroup.ingress[0]!.cidr = 'x'), {
    v3: 'security_group/ingress/0/cidr_ip',
    v2: all,
  }),
  {
    what: 'ports in the wrong order',
    make: (model) => void Object.assign(layerOf(model).securityGroup.ingress[0]!, { fromPort: 9, toPort: 8 }),
    v3: `${rule}/to_port`,
    v2: all,
  },
  {
    what: 'an invalid type of ICMP',
    make: (model) =>
      void Object.assign(layerOf(model).securityGroup.ingress[0]!, {
        protocol: 'icmp',
        fromPort: 0,
        toPort: 300,
      }),
    v3: `${rule}/from_port`,
    v2: all,
  },
  {
    what: 'an unknown protocol of a network ACL',
    make: (model) => void (layerOf(model).networkAcl = [{ ...aclRule, protocol: 'x' }]),
    v3: `${acl}/protocol`,
    v2: all,
  },
  {
    what: 'a number of two rules',
    make: (model) =>
      void (layerOf(model).networkAcl = [
        { ...aclRule, number: 2 },
        aclRule,
        { ...aclRule, cidr: '1.0.0.0/8' },
      ].slice(1)),
    v3: `${provision}/network_acl`,
    v2: all,
  },
];

export const awsContainers: Mistake[] = [
  {
    what: 'a wildcard in the place of the code',
    make: (model) =>
      void Object.assign(containerOf(model), { codeSource: 'object_store', gitRepository: 's3://b/*' }),
    v3: 'configurations/0/container/container_git_repo',
    v2: 'configurations/code',
  },
  inLayer('agents without an address', ({ subnet }) => void (subnet.assignPublicIp = false), {
    v3: 'subnet/auto_assign_public_ip',
    v2: all,
  }),
];

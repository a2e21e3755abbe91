import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../../src/model/stack-model.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../../sample-model.ts';
import {
  idsOfType,
  layersIn,
  privateSubnet,
  problemsOf,
  propertiesIn,
  resourceIn,
  templateOf,
} from './world.ts';

const balancerOf = (changes: Partial<NonNullable<Layer['loadBalancer']>> = {}) => {
  const { loadBalancer } = sampleGroup(1, 0);
  if (!loadBalancer) throw new Error('The sample group has no load balancer.');
  return { ...loadBalancer, ...changes };
};

const zoneOf = (template: ReturnType<typeof templateOf>, id: string) =>
  propertiesIn(template, id)['AvailabilityZone'];

describe('internet access', () => {
  it('of private layers with servers uses one NAT gateway in a public subnet', () => {
    const template = templateOf(
      layersIn({ subnet: privateSubnet('10.0.0.0/24') }, { subnet: privateSubnet('10.0.1.0/24') }),
    );
    expect(idsOfType(template, 'AWS::EC2::NatGateway')).toEqual(['NatGateway']);
    expect(propertiesIn(template, 'RoutesNatSubnet')['RouteTableId']).toEqual({ Ref: 'PublicRouteTable' });
    expect(propertiesIn(template, 'RoutesSubnetLayer1')['RouteTableId']).toEqual({
      Ref: 'PrivateRouteTable',
    });
    expect(resourceIn(template, 'Instance0OfLayer1').DependsOn).toContain('PrivateRoute');
  });

  it('is omitted for a private layer without servers', () => {
    const template = templateOf(
      layersIn({}, { subnet: privateSubnet('10.0.1.0/24'), capacity: { kind: 'fixed', count: 0 } }),
    );
    expect(idsOfType(template, 'AWS::EC2::NatGateway')).toEqual([]);
    expect(resourceIn(template, 'RoutesSubnetLayer1').Type).toBe('none');
  });

  it('is also added for a private subnet that a layer shares with a group', () => {
    const lender = sampleLayer({
      flag: 'Lender',
      subnet: privateSubnet('10.0.1.0/24'),
      capacity: { kind: 'shared', groupOf: 'Web0' },
    });
    const template = templateOf(sampleModel({ layers: [sampleGroup(1, 0), lender] }));
    expect(idsOfType(template, 'AWS::EC2::NatGateway')).toEqual(['NatGateway']);
    expect(propertiesIn(template, 'AutoScalingGroupWeb0')['VPCZoneIdentifier']).toEqual([
      { Ref: 'SubnetWeb0' },
      { Ref: 'SpreadSubnet2OfWeb0' },
      { Ref: 'SubnetLender' },
    ]);
  });
});

describe('security groups', () => {
  const outOf = (egress: Layer['securityGroup']['egress']) =>
    propertiesIn(templateOf(layersIn({ securityGroup: { ingress: [], egress } })), 'SecurityGroupLayer0')[
      'SecurityGroupEgress'
    ];

  it('without egress rules block all egress, which AWS would allow by default', () => {
    expect(outOf([])).toMatchObject([{ CidrIp: '127.0.0.1/32' }]);
  });

  it('contain each rule once, with ports only for protocols that have them', () => {
    const all = { protocol: 'all', fromPort: 0, toPort: 65535, cidr: '0.0.0.0/0' } as const;
    const ping = { protocol: 'icmp', fromPort: 8, toPort: 8, cidr: '10.0.0.0/16' } as const;
    expect(outOf([all, ping, all])).toEqual([
      { IpProtocol: '-1', CidrIp: '0.0.0.0/0' },
      { IpProtocol: 'icmp', FromPort: 8, ToPort: -1, CidrIp: '10.0.0.0/16' },
    ]);
  });

  it('of servers allow their load balancers, on server and health check ports', () => {
    const healthCheck = { ...balancerOf().healthCheck, target: 'HTTP:8081/up' };
    const template = templateOf(layersIn({ loadBalancer: balancerOf({ healthCheck }) }));
    const rules = propertiesIn(template, 'SecurityGroupLayer0')['SecurityGroupIngress'];
    const from = { SourceSecurityGroupId: { 'Fn::GetAtt': ['LoadBalancerSecurityGroupLayer0', 'GroupId'] } };
    expect(rules).toMatchObject([
      { CidrIp: '0.0.0.0/0' },
      { FromPort: 80, ...from },
      { FromPort: 8081, ...from },
    ]);
  });
});

describe('a load balancer', () => {
  const subnetsOf = (template: ReturnType<typeof templateOf>, flag: string) =>
    propertiesIn(template, `LoadBalancer${flag}`)['Subnets'];

  it('for http has a second zone, if necessary in an additional subnet', () => {
    const template = templateOf(layersIn({ loadBalancer: balancerOf() }));
    expect(subnetsOf(template, 'Layer0')).toEqual([{ Ref: 'SubnetLayer0' }, { Ref: 'BalancerSubnet' }]);
    expect(zoneOf(template, 'BalancerSubnet')).toBe('ap-northeast-1b');
  });

  it('in a small network has an additional subnet of the size that AWS asks for', () => {
    const model = { ...layersIn({ loadBalancer: balancerOf() }), networkCidr: '10.0.0.0/21' };
    const cidrIn = (cidrs: Record<string, string>) =>
      propertiesIn(templateOf(model, { choices: { cidrs } }), 'BalancerSubnet')['CidrBlock'];
    expect(cidrIn({})).toBe('10.0.7.224/27');
    expect(cidrIn({ BalancerSubnet: '10.0.7.240/28' })).toBe('10.0.7.240/28');
  });

  it('uses the subnets of layers if they are in two zones', () => {
    const template = templateOf(layersIn({ loadBalancer: balancerOf() }, { zone: 'ap-northeast-1c' }));
    expect(subnetsOf(template, 'Layer0')).toEqual([{ Ref: 'SubnetLayer0' }, { Ref: 'SubnetLayer1' }]);
    expect(resourceIn(template, 'BalancerSubnet').Type).toBe('none');
  });

  it('has one subnet in each zone, however many are named', () => {
    const loadBalancer = balancerOf({ subnetsOf: ['Layer0', 'Layer1', 'Layer2'] });
    const template = templateOf(layersIn({ loadBalancer }, {}, { zone: 'ap-northeast-1c' }));
    expect(subnetsOf(template, 'Layer0')).toEqual([{ Ref: 'SubnetLayer0' }, { Ref: 'SubnetLayer2' }]);
  });

  it('has a subnet in the zone of its servers, even if the named layer is in another zone', () => {
    const behind = { subnet: privateSubnet('10.0.1.0/24'), zone: 'ap-northeast-1c' };
    const template = templateOf(
      layersIn({ role: 'bastion' }, { ...behind, loadBalancer: balancerOf({ subnetsOf: ['Layer0'] }) }),
    );
    expect(subnetsOf(template, 'Layer1')).toEqual([{ Ref: 'SubnetLayer0' }, { Ref: 'BalancerSubnet' }]);
    expect(zoneOf(template, 'BalancerSubnet')).toBe('ap-northeast-1c');
  });

  it('that is internet-facing is rejected without a public subnet', () => {
    const model = layersIn({ subnet: privateSubnet('10.0.0.0/24'), loadBalancer: balancerOf() });
    expect(problemsOf(model)).toMatchObject([{ path: 'layers/0/loadBalancer/subnetsOf' }]);
  });

  it('for tcp is a network load balancer, which may have a single zone', () => {
    const listeners = [
      {
        port: 22,
        protocol: 'tcp',
        instancePort: 22,
        instanceProtocol: 'tcp',
        certificateDomain: null,
      } as const,
    ];
    const template = templateOf(layersIn({ loadBalancer: balancerOf({ listeners }) }));
    expect(propertiesIn(template, 'LoadBalancerLayer0')).toMatchObject({
      Type: 'network',
      Subnets: [{ Ref: 'SubnetLayer0' }],
    });
    expect(propertiesIn(template, 'TargetGroup22OfLayer0')).toMatchObject({
      Protocol: 'TCP',
      HealthCheckProtocol: 'TCP',
      Targets: [{ Id: { Ref: 'Instance0OfLayer0' } }],
    });
  });

  it('for http replaces a TCP health check by an HTTP check that accepts any response but a server error', () => {
    const template = templateOf(layersIn({ loadBalancer: balancerOf() }));
    expect(propertiesIn(template, 'TargetGroup80OfLayer0')).toMatchObject({
      HealthCheckProtocol: 'HTTP',
      Matcher: { HttpCode: '200-499' },
    });
  });
});

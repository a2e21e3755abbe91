import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../../src/model/stack-model.ts';
import { nothingChosen } from '../../../../src/vendors/aws/choices.ts';
import { existingSubnets } from '../../../../src/vendors/aws/choose/existing-subnets.ts';
import { chooseSubnets } from '../../../../src/vendors/aws/choose/subnets.ts';
import type { AwsDocument } from '../../../../src/vendors/aws/document.ts';
import { preview } from '../../../../src/vendors/aws/preview.ts';
import { sampleGroup, sampleModel } from '../../sample-model.ts';
import { documentOf, idsOfType, propertiesIn } from '../compile/world.ts';

const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((letter) => `ap-northeast-1${letter}`);

const groupIn = (zones: string[], changes: Partial<Layer> = {}): StackModel => {
  const layer = sampleGroup(1, 0);
  return sampleModel({
    layers: [{ ...layer, capacity: { ...layer.capacity, zones } as Layer['capacity'], ...changes }],
  });
};
const subnetOf = (cidr: string): Pick<Layer, 'subnet'> => ({
  subnet: { cidr, public: true, assignPublicIp: true },
});

interface Region {
  zones?: string[];
  /** Zones that offer the type of the servers. */
  offering?: string[];
}

/** The version of a stack after `before`. */
function next(model: StackModel, before: AwsDocument | null, region: Region = {}): AwsDocument {
  const { zones = [a, b, c], offering = zones } = region;
  const kept = { ...nothingChosen, ...before?.choices, zones };
  const found = {
    existing: existingSubnets(model, before),
    offerings: new Map([['t3.micro', new Set(offering)]]),
  };
  const chosen = chooseSubnets(model, kept, found);
  if (!chosen.ok) throw new Error(JSON.stringify(chosen.problems));
  return documentOf(model, { choices: { ...chosen.value, zones } });
}

/** Zone and block of each subnet of the group, in order. */
const subnetsOfGroup = ({ template }: AwsDocument) =>
  (propertiesIn(template, 'AutoScalingGroupWeb0')['VPCZoneIdentifier'] as { Ref: string }[]).map(
    ({ Ref }) => {
      const { AvailabilityZone, CidrBlock } = propertiesIn(template, Ref);
      return `${AvailabilityZone as string} ${CidrBlock as string}`;
    },
  );

describe('a new group', () => {
  it('runs in two zones, each with half of the network of its layer', () => {
    const document = next(groupIn([]), null);
    expect(subnetsOfGroup(document)).toEqual([`${a} 10.0.0.0/25`, `${b} 10.0.0.128/25`]);
  });

  it('has the network ACL of its layer and a route in each subnet', () => {
    const rules = [
      { number: 1, protocol: '-1', action: 'allow', egress: true, cidr: '0.0.0.0/0' } as const,
      { number: 1, protocol: '-1', action: 'allow', egress: false, cidr: '0.0.0.0/0' } as const,
    ];
    const { template } = next(groupIn([], { networkAcl: rules }), null);
    const subnetsOf = (type: string) =>
      idsOfType(template, type).map((id) => propertiesIn(template, id)['SubnetId']);
    const both = [{ Ref: 'SubnetWeb0' }, { Ref: 'SpreadSubnet2OfWeb0' }];
    expect(subnetsOf('AWS::EC2::SubnetNetworkAclAssociation')).toEqual(both);
    expect(subnetsOf('AWS::EC2::SubnetRouteTableAssociation')).toEqual(both);
    expect(propertiesIn(template, 'LoadBalancerWeb0')['Subnets']).toEqual(both);
  });

  it('skips zones that do not offer the type of its servers', () => {
    const document = next(groupIn([]), null, { offering: [a, c] });
    expect(subnetsOfGroup(document)).toEqual([`${a} 10.0.0.0/25`, `${c} 10.0.0.128/25`]);
  });

  it.each<[string, StackModel, Region]>([
    ['the document names one zone', groupIn([a]), {}],
    ['no other zone offers the type', groupIn([]), { offering: [a] }],
    ['the region has one zone', groupIn([], { loadBalancer: null }), { zones: [a] }],
  ])('runs in one zone if %s', (_, model, region) => {
    expect(subnetsOfGroup(next(model, null, region))).toEqual([`${a} 10.0.0.0/24`]);
  });

  it('runs in one zone if half of its network is too small for a load balancer', () => {
    expect(subnetsOfGroup(next(groupIn([], subnetOf('10.0.0.0/27')), null))).toEqual([`${a} 10.0.0.0/27`]);
  });

  /** A private group whose load balancer is in the public subnet of another layer, in the zone. */
  const behind = (zone: string): StackModel => {
    const front: Layer = { ...sampleGroup(1, 0), ...subnetOf('10.0.1.0/24'), flag: 'Front', role: 'bastion' };
    const { loadBalancer } = sampleGroup(1, 0);
    const { layers } = groupIn([], {
      subnet: { cidr: '10.0.0.0/24', public: false, assignPublicIp: false },
      loadBalancer: loadBalancer && { ...loadBalancer, subnetsOf: ['Front'] },
    });
    const capacity = { kind: 'fixed', count: 1 } as const;
    return sampleModel({ layers: [{ ...front, zone, loadBalancer: null, capacity }, ...layers] });
  };

  it('prefers as second zone one in which its load balancer can have a subnet', () => {
    const document = next(behind(c), null);
    expect(subnetsOfGroup(document)).toEqual([`${a} 10.0.0.0/25`, `${c} 10.0.0.128/25`]);
    expect(propertiesIn(document.template, 'BalancerSubnet')['AvailabilityZone']).toBe(a);
  });

  it('runs in one zone if its load balancer could have no subnet in any other', () => {
    const document = next(behind(c), null, { offering: [a, b] });
    expect(subnetsOfGroup(document)).toEqual([`${a} 10.0.0.0/24`]);
  });

  it('runs in all zones that the document lists', () => {
    expect(subnetsOfGroup(next(groupIn([c, a, b]), null))).toEqual([
      `${c} 10.0.0.0/26`,
      `${a} 10.0.0.64/26`,
      `${b} 10.0.0.128/26`,
    ]);
  });
});

describe('an existing group', () => {
  const before = documentOf(groupIn([]), { choices: { spread: {} } });
  const spread = next(groupIn([]), null);

  it('of an earlier release stays in its zone, and the preview shows no change', async () => {
    const { spread: _, ...choices } = before.choices;
    const later = next(groupIn([]), { ...before, choices: choices as typeof before.choices });
    expect(subnetsOfGroup(later)).toEqual([`${a} 10.0.0.0/24`]);
    expect(await preview(before, later)).toEqual([]);
  });

  it('gets two zones with another network, which the preview shows', async () => {
    const later = next(groupIn([], subnetOf('10.0.8.0/24')), before);
    expect(subnetsOfGroup(later)).toEqual([`${a} 10.0.8.0/25`, `${b} 10.0.8.128/25`]);
    const changes = await preview(before, later);
    expect(changes.filter(({ resourceType }) => resourceType === 'AWS::EC2::Subnet')).toMatchObject([
      { resource: 'BalancerSubnet', action: 'remove' },
      { resource: 'SubnetWeb0', action: 'replace' },
      { resource: 'SpreadSubnet2OfWeb0', action: 'add' },
    ]);
  });

  it('keeps its zones in every later version, also when the order of zones changes', async () => {
    const later = next(groupIn([]), spread, { zones: [c, b, a] });
    expect(await preview(spread, later)).toEqual([]);
  });

  it('leaves a zone, but keeps its other subnet, when the document names one zone', () => {
    const later = next(groupIn([a]), spread);
    expect(subnetsOfGroup(later)).toEqual([`${a} 10.0.0.0/25`]);
    expect(subnetsOfGroup(next(groupIn([]), later))).toEqual([`${a} 10.0.0.0/25`, `${b} 10.0.0.128/25`]);
  });

  it('leaves the zone of its first subnet, which stays, when the document no longer lists it', () => {
    const later = next(groupIn([b]), next(groupIn([a, b]), null));
    expect(subnetsOfGroup(later)).toEqual([`${b} 10.0.0.128/25`]);
    expect(propertiesIn(later.template, 'SubnetWeb0')).toMatchObject({ AvailabilityZone: a });
    expect(subnetsOfGroup(next(groupIn([a, b]), later))).toEqual([`${a} 10.0.0.0/25`, `${b} 10.0.0.128/25`]);
    const three = next(groupIn([a, b, c]), null);
    expect(subnetsOfGroup(next(groupIn([b, c]), three))).toEqual([`${b} 10.0.0.64/26`, `${c} 10.0.0.128/26`]);
  });

  it('keeps the network ACL of each subnet that stays when it leaves a zone', async () => {
    const networkAcl = [true, false].map(
      (egress) => ({ number: 1, protocol: '-1', action: 'allow', egress, cidr: '0.0.0.0/0' }) as const,
    );
    const three = next(groupIn([a, b, c], { networkAcl }), null);
    const changes = await preview(three, next(groupIn([a, c], { networkAcl }), three));
    const ofAcl = changes.filter(({ resourceType }) => resourceType.endsWith('AclAssociation'));
    expect(ofAcl).toMatchObject([{ resource: 'NetworkAclAssociation2OfWeb0', action: 'remove' }]);
  });

  it('is refused if the remaining zones have no room for its servers, or none has a subnet', () => {
    const many = sampleGroup(100, 0);
    const modelIn = (zones: string[], max: number) =>
      groupIn(zones, { capacity: { ...many.capacity, zones, min: 1, max } as Layer['capacity'] });
    const both = next(modelIn([a, b], 200), null);
    expect(() => next(modelIn([b], 200), both)).toThrow('10.0.0.128/25');
    expect(() => next(modelIn([c], 2), both)).toThrow(`no subnet in ${c}`);
  });

  it('of an earlier release with subnets of other layers stays in all of them', () => {
    const lender: Layer = { ...sampleGroup(1, 0), ...subnetOf('10.0.1.0/24'), flag: 'Lender', zone: b };
    const shared: Layer = { ...lender, loadBalancer: null, capacity: { kind: 'shared', groupOf: 'Web0' } };
    const { layers } = groupIn([b], { zone: a });
    const model = sampleModel({ layers: [...layers, shared] });
    const later = next(model, documentOf(model, { choices: { spread: {} } }));
    expect(subnetsOfGroup(later)).toEqual([`${a} 10.0.0.0/24`, `${b} 10.0.1.0/24`]);
  });
});

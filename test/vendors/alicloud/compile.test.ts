import { describe, expect, it } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { matchingType, siblingsOf } from '../../../src/vendors/alicloud/layout/instance-types.ts';
import { foreignCacheMessage, replicaType } from '../../../src/vendors/alicloud/layout/service-classes.ts';
import { agentTokenSecret, databasePasswordSecret } from '../../../src/vendors/alicloud/names.ts';
import { preview } from '../../../src/vendors/alicloud/preview.ts';
import { sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { documentOf, nextDocument, problemsOf, propertiesIn } from './compile-world.ts';

const privateSubnet = (cidr: string) => ({ cidr, public: false, assignPublicIp: false });

describe('types of other clouds', () => {
  it.each([
    ['t3.micro', 'ecs.e-c1m2.large'],
    ['t3.medium', 'ecs.e-c1m2.large'],
    ['m3.medium', 'ecs.e-c1m2.large'],
    ['t3.large', 'ecs.g7.large'],
    ['m5.xlarge', 'ecs.g7.xlarge'],
    ['c5.2xlarge', 'ecs.c7.2xlarge'],
    ['r5.large', 'ecs.r7.large'],
    ['t4g.small', 'ecs.g8y.large'],
    ['m6g.xlarge', 'ecs.g8y.xlarge'],
    ['Standard_B2s', 'ecs.e-c1m2.large'],
  ])('%s is refused with %s', (type, instead) => {
    expect(matchingType(type)).toBe(instead);
    const model = sampleModel({ layers: [sampleLayer({ instanceType: type })] });
    expect(problemsOf(model)[0]?.message).toBe(
      `${type} is not an instance type of Alibaba Cloud. Use ${instead}, which has about the same size.`,
    );
  });

  it('of caches are refused with a class for their number of nodes', () => {
    const cache = { name: 'a', engine: 'redis', nodeType: 'cache.m5.large' } as const;
    expect(foreignCacheMessage({ ...cache, nodes: 2 })).toContain('redis.master.large.default');
    expect(foreignCacheMessage({ ...cache, nodes: 3 })).toContain('redis.shard.xlarge.2.ce');
    expect(foreignCacheMessage({ ...cache, engine: 'memcached', nodes: 1 })).toContain(
      'memcache.master.large',
    );
  });

  it('siblings have the same size, and a read replica the class of its primary', () => {
    expect(siblingsOf('ecs.c7.xlarge')).toEqual(['ecs.c6.xlarge', 'ecs.c8i.xlarge']);
    expect(siblingsOf('ecs.e-c1m2.large')).toEqual([]);
    expect(replicaType('mysql.n2.medium.2c')).toBe('mysqlro.n2.medium.1c');
    expect(replicaType('pg.n2.2c.2m')).toBe('pgro.n2.2c.1m');
  });
});

describe('secrets', () => {
  const model = sampleModel({ databases: [sampleDatabase()] });

  it('are in the document by name only: agents read theirs from OOS, and ROS that of the database', () => {
    const document = documentOf(model);
    expect(document.secrets).toEqual({ agentToken: true, databasePassword: true });
    expect(document.template.Parameters).toEqual({
      AlmanacVersion: { Type: 'String' },
      DbPassword: { Type: 'ALIYUN::OOS::SecretParameter::Value', NoEcho: true },
    });
    expect(propertiesIn(document, 'Databaseapp')['MasterUserPassword']).toEqual({ Ref: 'DbPassword' });
    const script = propertiesIn(document, 'InstancesWeb0')['UserData'] as string;
    expect(script).toContain(`--token-from 'oos:${agentTokenSecret('mo-1')}'`);
    expect(script).not.toMatch(/__|^# /m);
  });

  it('have names that OOS accepts', () => {
    for (const name of [agentTokenSecret('mo-1'), databasePasswordSecret('mo-1')])
      expect(name).toMatch(/^(?!aliyun|acs|alibaba|alicloud|oos)[A-Za-z0-9/_-]{1,200}$/);
  });

  it('of a stack can be read by its servers, no other ones', () => {
    const policies = JSON.stringify(propertiesIn(documentOf(model), 'Role')['Policies']);
    expect(policies).toContain(`acs:oos:ap-northeast-1:*:secretparameter/${agentTokenSecret('mo-1')}"`);
    expect(policies).not.toContain('"*"');
    expect(policies).not.toContain('database-password');
  });

  it('are none without agents and databases, and then there is no role', () => {
    const document = documentOf(sampleModel(), { baseUrl: 'http://localhost' });
    expect(document.secrets).toEqual({ agentToken: false, databasePassword: false });
    expect(document.template.Resources).not.toHaveProperty('Role');
    expect(propertiesIn(document, 'InstancesWeb0')).not.toHaveProperty('UserData');
  });
});

describe('the network', () => {
  it('has one NAT gateway, and a way out for each private subnet with servers, for which the servers wait', () => {
    const layers = [
      sampleLayer({ flag: 'One', subnet: privateSubnet('10.0.0.0/24') }),
      sampleLayer({ flag: 'Two', subnet: privateSubnet('10.0.1.0/24') }),
      sampleLayer({
        flag: 'Idle',
        subnet: privateSubnet('10.0.2.0/24'),
        capacity: { kind: 'fixed', count: 0 },
      }),
    ];
    const { template } = documentOf(sampleModel({ layers }));
    const ids = Object.keys(template.Resources).filter((id) => /Nat|Snat/.test(id));
    expect(ids).toEqual([
      'NatSubnet',
      'NatGateway',
      'NatAddress',
      'NatAddressAssociation',
      'SnatEntryOne',
      'SnatEntryTwo',
    ]);
    expect(template.Resources['InstancesOne']?.DependsOn).toEqual(['SnatEntryOne']);
    expect(template.Resources['SnatEntryOne']?.DependsOn).toEqual(['NatAddressAssociation']);
  });

  it('keeps the subnet of a removed database where it is: while that counts as in use, ROS would undo the removal', () => {
    const first = documentOf(sampleModel({ databases: [sampleDatabase({ multiZone: true })] }));
    const without = nextDocument(first, sampleModel());
    const later = nextDocument(without, sampleModel({ databases: [sampleDatabase()] }));
    for (const document of [without, later])
      for (const subnet of ['DataSubnet1', 'DataSubnet2'])
        expect(document.template.Resources[subnet]).toEqual(first.template.Resources[subnet]);
    expect(preview(first, without).map(({ action, resource }) => `${action} ${resource}`)).toEqual([
      'remove Databaseapp',
    ]);
    expect(Object.keys(documentOf(sampleModel()).template.Resources)).not.toContain('DataSubnet1');
  });

  it('lets nothing out that no rule names, and nothing through an ACL that no rule names', () => {
    const layer = sampleLayer({
      securityGroup: {
        ingress: [],
        egress: [{ protocol: 'tcp', fromPort: 0, toPort: 443, cidr: '0.0.0.0/0' }],
      },
      networkAcl: [
        { number: 20, protocol: '6', action: 'allow', egress: false, cidr: '0.0.0.0/0' },
        { number: 10, protocol: 'udp', action: 'deny', egress: false, cidr: '192.0.2.0/24' },
      ],
    });
    const document = documentOf(sampleModel({ layers: [layer] }));
    expect(propertiesIn(document, 'SecurityGroupWeb0')['SecurityGroupEgress']).toEqual([
      { IpProtocol: 'tcp', PortRange: '1/443', DestCidrIp: '0.0.0.0/0', Policy: 'accept', Priority: 1 },
      { IpProtocol: 'all', PortRange: '-1/-1', DestCidrIp: '0.0.0.0/0', Policy: 'drop', Priority: 100 },
    ]);
    const { IngressAclEntries, EgressAclEntries } = propertiesIn(document, 'NetworkAclWeb0');
    expect(IngressAclEntries).toMatchObject([
      { Protocol: 'udp', Policy: 'drop' },
      { Protocol: 'tcp', Policy: 'accept' },
      { Protocol: 'all', Policy: 'drop' },
    ]);
    expect(EgressAclEntries).toMatchObject([{ Protocol: 'all', Policy: 'drop' }]);
  });
});

describe('load balancers and caches', () => {
  const balanced = (count: number): StackModel =>
    sampleModel({
      layers: [{ ...sampleGroup(1, 0), capacity: { kind: 'fixed', count } }],
    });

  it('fixed servers are attached to theirs, and a layer without servers has none to attach', () => {
    expect(propertiesIn(documentOf(balanced(2)), 'BackendServersWeb0')).toEqual({
      LoadBalancerId: { Ref: 'LoadBalancerWeb0' },
      BackendServerList: { 'Fn::GetAtt': ['InstancesWeb0', 'InstanceIds'] },
    });
    expect(documentOf(balanced(0)).template.Resources).not.toHaveProperty('BackendServersWeb0');
  });

  it.each([
    [1, { NodeType: 'STAND_ALONE' }],
    [2, {}],
    [4, { ShardCount: 1, ReadOnlyCount: 3 }],
  ])('Redis with %i nodes has the form for it', (nodes, form) => {
    const nodeType = 'redis.shard.small.2.ce';
    const document = documentOf(sampleModel({ caches: [{ name: 'a', engine: 'redis', nodeType, nodes }] }));
    const { NodeType, ShardCount, ReadOnlyCount } = propertiesIn(document, 'Redisa');
    expect(JSON.parse(JSON.stringify({ NodeType, ShardCount, ReadOnlyCount }))).toEqual(form);
  });
});

describe('notes and tags', () => {
  it('notes say what is taken in another way', () => {
    const { loadBalancer } = sampleGroup(1, 0);
    const layer = sampleLayer({
      volume: { type: null, sizeGib: 8 },
      securityGroup: {
        ingress: [{ protocol: 'icmp', fromPort: 8, toPort: 8, cidr: '0.0.0.0/0' }],
        egress: [{ protocol: 'all', fromPort: 0, toPort: 65535, cidr: '0.0.0.0/0' }],
      },
      loadBalancer: { ...loadBalancer!, securityGroupsOf: ['Web0'], subnetsOf: ['Web0'] },
    });
    const tags = { a: '1', b: '2', c: '3' };
    expect(documentOf(sampleModel({ layers: [layer], tags })).notes).toEqual([
      'The disks of layer Web0 have 20 GiB, the minimum of Alibaba Cloud, not 8.',
      'Rules of layer Web0 for one type of ICMP allow all of ICMP: Alibaba Cloud does not tell its types apart.',
      'The load balancer of layer Web0 has no security group: those of Alibaba Cloud accept connections from everywhere.',
      'The load balancer of layer Web0 has a public address, and is in no subnet.',
      'The load balancer of layer Web0 checks servers by a request for /, not by a connection alone. Any answer but a server error will do.',
      'The load balancer of layer Web0 carries none of the 3 tags: it has room for 2.',
    ]);
  });

  it("a user's tag never replaces one of Almanac's own", () => {
    const document = documentOf(sampleModel({ tags: { 'almanac:flag': 'x', team: 'shop' } }));
    expect(propertiesIn(document, 'InstancesWeb0')['Tags']).toEqual([
      { Key: 'almanac:stack', Value: 'mo-1' },
      { Key: 'almanac:flag', Value: 'Web0' },
      { Key: 'almanac:launch', Value: expect.stringMatching(/^[0-9a-f]{8}$/) },
      { Key: 'team', Value: 'shop' },
    ]);
  });

  it('the mark of a launch changes with what servers are made from, and with nothing else', () => {
    const markOf = (changes: object) =>
      documentOf(sampleModel({ layers: [sampleLayer(changes)] })).template.Outputs['AlmanacLaunchWeb0']
        ?.Value;
    const same = markOf({});
    expect(markOf({ capacity: { kind: 'fixed', count: 3 } })).toBe(same);
    expect(markOf({ instanceType: 'ecs.g7.large' })).not.toBe(same);
    expect(markOf({ volume: { type: null, sizeGib: 50 } })).not.toBe(same);
  });
});

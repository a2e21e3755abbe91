import { describe, expect, test } from 'vitest';
import { compileTemplate, readName, readPlacement } from '../../../src/languages/v3-template/compile.ts';
import { compiled, compiledLayer, type Members, templateOf, webLayer } from './documents.ts';

describe('defaults of a template', () => {
  test('a bare layer is one public server', () => {
    expect(compiledLayer({})).toMatchObject({
      capacity: { kind: 'fixed', count: 1 },
      keyPair: true,
      subnet: { cidr: '10.0.0.0/24', public: true, assignPublicIp: true },
      networkAcl: [],
      loadBalancer: null,
      container: null,
      volume: { type: null, sizeGib: null },
    });
  });

  test('layers without a cidr get the next free subnet', () => {
    const layers = ['A', 'B', 'C', 'D'].map((flag) => ({ role: 'web', flag, provision: {} as Members }));
    layers[2] = { role: 'web', flag: 'C', provision: { subnet: { cidr: '10.0.1.0/24' } } };
    expect(compiled(templateOf(...layers)).model.layers.map(({ subnet }) => subnet.cidr)).toEqual([
      '10.0.0.0/24',
      '10.0.2.0/24',
      '10.0.1.0/24',
      '10.0.3.0/24',
    ]);
  });

  test('instances in a private subnet get no public IP address', () => {
    const { subnet } = compiledLayer({ subnet: { public: false, auto_assign_public_ip: true } });
    expect(subnet).toEqual({ cidr: '10.0.0.0/24', public: false, assignPublicIp: false });
  });

  test('a bastion opens only SSH', () => {
    const { ingress } = compiledLayer({}, { role: 'bastion' }).securityGroup;
    expect(ingress.map(({ fromPort }) => fromPort)).toEqual([22]);
  });

  test('null and empty strings count as omitted', () => {
    const layer = compiledLayer({
      availability_zone: '',
      subnet: null,
      load_balancer: null,
      instance_type: '',
    });
    expect(layer).toMatchObject({ zone: null, instanceType: null, loadBalancer: null });
  });

  test('a web group gets the default load balancer, a bastion group none', () => {
    expect(compiledLayer({ auto_scaling: { max: 2 } }).loadBalancer).toEqual({
      kind: 'classic',
      scheme: 'internet-facing',
      subnetsOf: ['Web'],
      securityGroupsOf: ['Web'],
      listeners: [
        { port: 80, protocol: 'http', instancePort: 80, instanceProtocol: 'http', certificateDomain: null },
      ],
      healthCheck: {
        target: 'TCP:80',
        intervalSeconds: 10,
        timeoutSeconds: 5,
        healthyThreshold: 2,
        unhealthyThreshold: 10,
      },
    });
    expect(compiledLayer({ auto_scaling: { max: 2 } }, { role: 'bastion' }).loadBalancer).toBeNull();
  });

  test('a group uses its layer’s zone', () => {
    expect(compiledLayer({ auto_scaling: {} }).capacity).toMatchObject({
      min: 1,
      max: 1,
      zones: ['ap-northeast-1a'],
    });
  });

  test('a group without any zone lets the vendor choose', () => {
    expect(compiledLayer({ availability_zone: null, auto_scaling: {} }).capacity).toMatchObject({
      zones: [],
    });
  });

  test('a group may let the vendor choose its zones, even if its layer has one', () => {
    expect(compiledLayer({ auto_scaling: { availability_zones: '${computed}' } })).toMatchObject({
      zone: 'ap-northeast-1a',
      capacity: { kind: 'group', zones: [] },
    });
  });

  test.each([
    [{}, { metric: 'cpu', target: 60 }],
    [{ target_cpu: '45' }, { metric: 'cpu', target: 45 }],
    [{ target_requests: 1200 }, { metric: 'requests', target: 1200 }],
    [{ target_cpu: 45, scaling: false }, null],
  ])('a group with %j scales by %j', (members, scaling) => {
    const capacity = { min: 1, max: 4, cooldown: 120, ...members };
    expect(compiledLayer({ auto_scaling: capacity }).capacity).toMatchObject({
      min: 1,
      max: 4,
      cooldownSeconds: 120,
      scaling,
    });
  });

  test('a load balancer may serve a fixed number of servers', () => {
    const listeners = [
      { load_balancer_port: 443, protocol: 'SSL', instance_port: 8443, cert_domain: 'a.example.com' },
    ];
    const layer = compiledLayer({ instance_count: 2, load_balancer: { lb_type: 'networking', listeners } });
    expect(layer.capacity).toEqual({ kind: 'fixed', count: 2 });
    expect(layer.loadBalancer).toMatchObject({
      kind: 'network',
      listeners: [{ protocol: 'ssl', instanceProtocol: 'tcp', certificateDomain: 'a.example.com' }],
      healthCheck: { target: 'TCP:8443' },
    });
  });
});

describe('numbers', () => {
  test('may be written as strings', () => {
    const numbers = { min: 2, max: 4, spot_range: 50, cooldown: 60, healthcheck_grace_period: 90 };
    const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
    expect(compiledLayer({ volume_size: '30', auto_scaling: texts })).toEqual(
      compiledLayer({ volume_size: 30, auto_scaling: numbers }),
    );
  });

  test.each([
    [{ spot_max: 1 }, 3, 33],
    [{ spot_max: 1 }, 8, 13],
    [{ spot_min: 1, spot_max: 2 }, 3, 67],
    [{ spot_min: 2 }, 4, 50],
    [{ spot_to_ondemand_ratio: 50 }, 3, 50],
    [{ spot_max: 0 }, 0, 0],
  ])('spot settings %j with max %i give %i percent', (spot, max, percent) => {
    expect(compiledLayer({ auto_scaling: { min: 0, max, ...spot } }).capacity).toMatchObject({
      spotPercent: percent,
    });
  });
});

test('booleans may be written as strings', () => {
  const subnet = { public: 'TRUE', auto_assign_public_ip: 'false' };
  expect(compiledLayer({ keypair: 'false', subnet })).toEqual(
    compiledLayer({ keypair: false, subnet: { public: true, auto_assign_public_ip: false } }),
  );
});

describe('traffic rules', () => {
  test.each([
    [{ ip_protocol: -1 }, ['all', 0, 65535]],
    [{ ip_protocol: 'all', from_port: 80, to_port: 80 }, ['all', 0, 65535]],
    [{ ip_protocol: 'icmp', from_port: -1, to_port: -1 }, ['icmp', 0, 65535]],
    [{ ip_protocol: 'ICMP', from_port: 8, to_port: 8 }, ['icmp', 8, 8]],
    [{ ip_protocol: 'UDP', from_port: '53' }, ['udp', 53, 53]],
  ])('%j compiles to ports and protocol of the model', (given, expected) => {
    const { ingress, egress } = compiledLayer({
      security_group: { ingress: [{ cidr_ip: '0.0.0.0/0', ...given }] },
    }).securityGroup;
    expect(ingress.map(({ protocol, fromPort, toPort }) => [protocol, fromPort, toPort])).toEqual([expected]);
    expect(egress).toHaveLength(1);
  });

  test('network ACL rules have protocol numbers', () => {
    const rules = ['-1', 'all', 'TCP', 'udp', 'icmp', 50].map((protocol, index) => ({
      rule_number: index + 1,
      protocol,
      rule_action: 'allow',
      cidr_block: '0.0.0.0/0',
    }));
    expect(compiledLayer({ network_acl: rules }).networkAcl.map(({ protocol }) => protocol)).toEqual([
      '-1',
      '-1',
      '6',
      '17',
      '1',
      '50',
    ]);
  });
});

test('a database and a cache have the name of their layer', () => {
  const rds = { engine: 'postgres', storage: '5', version: 15 };
  const { databases, caches } = compiled(
    templateOf(
      webLayer({ rds, elasticache: { engine: 'Memcached', node_type: 'cache.t3.micro', nodes: 20 } }),
    ),
  ).model;
  expect(databases).toEqual([
    {
      name: 'Web',
      engine: 'postgresql',
      engineVersion: '15',
      instanceType: null,
      storageGib: 5,
      replicas: 0,
      multiZone: false,
    },
  ]);
  expect(caches).toEqual([{ name: 'Web', engine: 'memcached', nodeType: 'cache.t3.micro', nodes: 20 }]);
});

test('the model is frozen', () => {
  const { model } = compiled(templateOf(webLayer()));
  expect(Object.isFrozen(model.layers[0]?.securityGroup.ingress[0])).toBe(true);
});

test('the vendor section is ignored by the compiler', () => {
  expect(compileTemplate({ ...templateOf(webLayer()), vendor: 7 }, 'somewhere')).toMatchObject({
    ok: true,
    value: { model: { region: 'somewhere' } },
  });
});

test('the vendor name is lower-cased, and unknown members of the vendor are ignored', () => {
  const vendor = { GCP: { cred: 'c', region: 'r', project_id: 'p' } };
  expect(readPlacement({ vendor })).toEqual({
    ok: true,
    value: { vendor: 'gcp', credentialId: 'c', region: 'r', secret: null, authUrl: null },
  });
});

test('a name is read and not stored, and is unique unless it is written as nickname', () => {
  const [plain, nick, named] = [templateOf(webLayer()), { nickname: ' clean sail ' }, { name: ' shop ' }];
  expect(readName(nick)).toEqual({ text: 'clean sail', isUnique: false });
  expect(readName(named)).toEqual({ text: 'shop', isUnique: true });
  for (const none of [{ nickname: 5 }, null]) expect(readName(none)).toBeNull();
  for (const each of [nick, named]) expect(compiled({ ...plain, ...each }).document).toEqual(plain);
});

test('the port for ssh is open by default only where a key pair lets a user in, and on a bastion', () => {
  const portsOf = (provision: Record<string, unknown>, more = {}) =>
    compiledLayer(provision, more).securityGroup.ingress.map(({ fromPort }) => fromPort);
  expect(portsOf({})).toEqual([80, 443, 22]);
  expect(portsOf({ keypair: false })).toEqual([80, 443]);
  expect(portsOf({ keypair: false }, { role: 'bastion' })).toEqual([22]);
  const asked = { ingress: [{ ip_protocol: 'tcp', from_port: 22, cidr_ip: '10.0.0.0/16' }] };
  expect(portsOf({ keypair: false, security_group: asked })).toEqual([22]);
});

test('tags are names and values, also numbers', () => {
  const tagsOf = (more: Record<string, unknown>) =>
    compiled({ ...templateOf(webLayer()), ...more }).model.tags;
  expect(tagsOf({ tags: { team: 'shop', 'cost-center': 42, empty: '' } })).toEqual({
    team: 'shop',
    'cost-center': '42',
    empty: '',
  });
  expect(tagsOf({})).toBeUndefined();
});

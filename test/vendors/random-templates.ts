import * as fc from 'fast-check';
import { compileTemplate } from '../../src/languages/v3-template/compile.ts';
import type { StackModel } from '../../src/model/stack-model.ts';

const ingress = fc.subarray([80, 443, 8080], { minLength: 1 }).map((ports) => ({
  ingress: ports.map((port) => ({
    ip_protocol: 'tcp',
    from_port: port,
    to_port: port,
    cidr_ip: '0.0.0.0/0',
  })),
}));

const servers = fc.integer({ min: 1, max: 3 }).map((instance_count) => ({ instance_count }));

const group = fc
  .record({ min: fc.integer({ min: 1, max: 3 }), spot: fc.constantFrom(0, 50) })
  .map(({ min, spot }) => ({
    auto_scaling: { min, max: 4, spot_range: spot },
    load_balancer: {
      listeners: [{ load_balancer_port: 80, protocol: 'HTTP', instance_port: 80 }],
      health_check: { target: 'TCP:80', interval: 10, timeout: 5 },
    },
  }));

const database = fc.record({
  rds: fc.record({
    engine: fc.constantFrom('mysql', 'postgresql'),
    storage: fc.constantFrom(20, 40),
    replica: fc.constantFrom(0, 1),
  }),
});

const cache = fc.record({
  elasticache: fc.record({
    engine: fc.constantFrom('redis', 'memcached'),
    node_type: fc.constant('cache.t3.micro'),
    nodes: fc.constantFrom(1, 2),
  }),
});

const container = fc.record({
  container_image: fc.constantFrom('httpd:2.4', 'nginx:1.27'),
  container_ports: fc.constant([80]),
  container_env_vars: fc.constantFrom({ MODE: 'live' }, { MODE: 'test', LEVEL: '3' }),
});

const none = fc.constant({});

interface Layer {
  role: string;
  flag: string;
  provision: object;
  /** Left out where it is undefined. */
  container: object | undefined;
}

const layer = (flag: string, cidr: string) =>
  fc
    .record({
      base: fc.record({
        instance_type: fc.constantFrom(undefined, 't2.micro'),
        keypair: fc.boolean(),
        volume_size: fc.constantFrom(20, 30),
        security_group: ingress,
      }),
      capacity: fc.oneof(servers, group),
      database: fc.oneof(none, database),
      cache: fc.oneof(none, cache),
      container: fc.option(container, { nil: undefined }),
    })
    .map((parts): Layer => {
      const place = {
        image: '${computed}',
        availability_zone: 'ap-northeast-1a',
        subnet: { cidr, public: true, auto_assign_public_ip: true },
      };
      const { base, capacity, database: data, cache: cached } = parts;
      const provision = Object.assign(place, base, capacity, data, cached);
      return { role: 'web', flag, provision, container: parts.container };
    });

/** Templates with one or two layers of servers or groups, databases, caches and containers. */
const template = fc
  .record({ first: layer('Web01', '10.0.0.0/24'), second: fc.option(layer('Back1', '10.0.1.0/24')) })
  .map(({ first, second }) => ({
    version: '2017-03-03',
    label: 'random',
    description: '',
    vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
    configurations: second ? [first, second] : [first],
  }));

/** Two versions of one stack; often equal in most members. */
export const templatePairs: fc.Arbitrary<[object, object]> = fc
  .tuple(template, template, fc.boolean())
  .map(([one, other, isClose]) => {
    if (!isClose) return [one, other];
    // The same layers; only the capacity of the first differs.
    const [before, after] = [one, other].map(({ configurations }) => configurations[0]?.provision);
    const provision = { ...omitCapacity(before), ...pickCapacity(after) };
    const [first, ...rest] = one.configurations;
    return [one, { ...one, configurations: [{ ...first, provision }, ...rest] }];
  });

const capacityMembers = new Set(['instance_count', 'auto_scaling', 'load_balancer']);
const filtered = (provision: object = {}, isWanted: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(provision).filter(([name]) => isWanted(name)));
const omitCapacity = (provision?: object) => filtered(provision, (name) => !capacityMembers.has(name));
const pickCapacity = (provision?: object) => filtered(provision, (name) => capacityMembers.has(name));

export function modelOf(document: object): StackModel {
  const compiled = compileTemplate(JSON.parse(JSON.stringify(document)), 'ap-northeast-1');
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.value.model;
}

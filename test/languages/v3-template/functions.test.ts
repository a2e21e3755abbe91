import { describe, expect, test } from 'vitest';
import { compiled, type Members, problemsOf, templateOf, webLayer } from './documents.ts';

const other = (provision: Members, more: Members = {}) => ({
  role: 'web',
  flag: 'Other',
  provision,
  ...more,
});
const modelOf = (...layers: unknown[]) => compiled(templateOf(...layers)).model.layers;
const group = { min: 1, max: 2 };

describe('${use(…)}', () => {
  test('inserts a value of another layer', () => {
    const [web] = modelOf(
      webLayer({ instance_type: '${use(Other.provision.instance_type)}' }),
      other({ instance_type: 't2.nano' }),
    );
    expect(web?.instanceType).toBe('t2.nano');
  });

  test('works inside other text, with several members and with numbers', () => {
    const auto_scaling = {
      availability_zones: '${use(Other.provision.availability_zone,Third.provision.availability_zone)},z',
    };
    const container = { container_image: 'httpd:${use(Other.provision.instance_count)}' };
    const [web] = modelOf(
      webLayer({ auto_scaling }, { container }),
      other({ availability_zone: 'x', instance_count: 2 }),
      { role: 'web', flag: 'Third', provision: { availability_zone: 'y' } },
    );
    expect(web?.capacity).toMatchObject({ zones: ['x', 'y', 'z'] });
    expect(web?.container?.image).toBe('httpd:2');
  });

  test('finds members through copies, aliases and lists', () => {
    const security_group = { ingress: [{ CidrIp: '10.0.0.0/8', FromPort: 1, ToPort: 2, IpProtocol: 'tcp' }] };
    const [web] = modelOf(
      webLayer({ instance_type: '${use(Other.provision.security_group.ingress.0.CidrIp)}' }),
      other({ security_group: '${copy(Third.provision.security_group)}' }),
      { role: 'web', flag: 'Third', provision: { security_group } },
    );
    expect(web?.instanceType).toBe('10.0.0.0/8');
  });
});

describe('${copy(…)}', () => {
  test('copies a whole value with its functions resolved', () => {
    const [web, second] = modelOf(
      webLayer({
        subnet: { cidr: '10.0.9.0/24' },
        security_group: '${copy(Other.provision.security_group)}',
      }),
      other({
        security_group: {
          ingress: [{ ip_protocol: 'tcp', from_port: 5, cidr_ip: '${use(Web.provision.subnet.cidr)}' }],
        },
      }),
    );
    expect(web?.securityGroup.ingress).toMatchObject([{ fromPort: 5, cidr: '10.0.9.0/24' }]);
    expect(web?.securityGroup).toEqual(second?.securityGroup);
  });
});

test('text that only resembles a function is not changed', () => {
  const container = { container_env_vars: { A: '${HOME}/x', B: '#share', C: 'use(Web)' } };
  expect(modelOf(webLayer({}, { container }))[0]?.container?.environment).toEqual(
    container.container_env_vars,
  );
});

describe('#share(…) and #ref(…)', () => {
  test('let a group and a load balancer use the subnets of several layers', () => {
    const subnets = '#share(Web.provision.subnet, Other.provision.subnet)';
    const security_groups = '#ref(Web.provision.security_group),#ref(Other.provision.security_group)';
    const [web] = modelOf(
      webLayer({
        auto_scaling: { ...group, subnets, security_groups },
        load_balancer: { subnets, security_groups },
      }),
      other({}),
    );
    expect(web?.capacity).toMatchObject({ subnetsOf: ['Other'], securityGroupsOf: ['Other'] });
    expect(web?.loadBalancer).toMatchObject({
      subnetsOf: ['Web', 'Other'],
      securityGroupsOf: ['Web', 'Other'],
    });
  });

  test('a layer that uses the group of another has no load balancer', () => {
    const [, second] = modelOf(
      webLayer({ auto_scaling: group }),
      other({ auto_scaling: '#share(Web.provision.auto_scaling)' }),
    );
    expect(second).toMatchObject({ capacity: { kind: 'shared', groupOf: 'Web' }, loadBalancer: null });
  });
});

describe('an invalid function is rejected', () => {
  const missing = 'refers to unknown layer "Nobody"; known layers: Web, Other.';
  test.each<[string, Members, string]>([
    ['an unknown layer', { image: '${use(Nobody.provision.image)}' }, `image: ${missing}`],
    [
      'a missing member',
      { image: '${use(Other.provision.image)}' },
      'image: refers to provision.image of layer "Other", which does not exist.',
    ],
    [
      'a reference without a member',
      { image: '${use(Other)}' },
      'image: must name a layer and one of its members, such as Web.provision.instance_type.',
    ],
    [
      'an object used as text',
      { image: '${use(Other.provision.subnet)}' },
      'image: "${use(…)}" supports only strings and numbers; use "${copy(…)}" for objects and lists.',
    ],
    [
      'a copy inside text',
      { image: 'a${copy(Other.flag)}' },
      'image: "${copy(…)}" must be the whole value; use "${use(…)}" inside other text.',
    ],
    [
      'an unknown function',
      { image: '${join(Other.flag)}' },
      'image: unknown function "${join(…)}"; use ${use(…)} or ${copy(…)}.',
    ],
    [
      'a function that is not closed',
      { image: '${use(Other.flag' },
      'image: has a function that is not closed; write ${use(Flag.member)}.',
    ],
    [
      'a computed that is not closed',
      { image: '${computed' },
      'image: has a function that is not closed; write ${use(Flag.member)}.',
    ],
    [
      'computed inside text',
      { image: 'x${computed}' },
      'image: does not support "${computed}"; write the value.',
    ],
    [
      'a reference to itself',
      { image: '${use(Web.provision.image)}' },
      'image: is a circular reference; replace one of the references with a value.',
    ],
    [
      'a copy of its own parent',
      { subnet: '${copy(Web.provision)}' },
      'subnet: is a circular reference; replace one of the references with a value.',
    ],
    [
      'a reference in the wrong place',
      { subnet: '#share(Other.provision.subnet)' },
      'subnet: "#ref(…)" and "#share(…)" are not supported here; use "${copy(…)}" to copy the value.',
    ],
    [
      'the wrong kind of reference',
      { load_balancer: { subnets: '#ref(Other.provision.subnet)' } },
      'load_balancer/subnets: must have the form "#share(Flag.provision.subnet)".',
    ],
    [
      'a reference to something else',
      { load_balancer: { security_groups: '#ref(Other.provision.subnet)' } },
      'load_balancer/security_groups: must have the form "#ref(Flag.provision.security_group)".',
    ],
    [
      'a reference not closed',
      { load_balancer: { subnets: '#share(Other.provision.subnet' } },
      'load_balancer/subnets: must have the form "#share(Flag.provision.subnet)".',
    ],
    [
      'a reference to an unknown layer',
      { load_balancer: { subnets: '#share(Nobody.provision.subnet)' } },
      `load_balancer/subnets: ${missing}`,
    ],
    [
      'a layer without a group',
      { auto_scaling: '#share(Other.provision.auto_scaling)' },
      'auto_scaling: must refer to a layer with an auto_scaling object; "Other" has none.',
    ],
    [
      'a reference to its own group',
      { auto_scaling: '#share(Web.provision.auto_scaling)' },
      'auto_scaling: must refer to a layer with an auto_scaling object; "Web" has none.',
    ],
  ])('because of %s', (_why, provision, problem) =>
    expect(problemsOf(templateOf(webLayer(provision), other({ subnet: {} })))).toEqual([
      `configurations/0/provision/${problem}`,
    ]),
  );

  test('a circular reference through two layers is reported once per layer', () => {
    const web = webLayer({ image: '${use(Other.provision.image)}' });
    expect(problemsOf(templateOf(web, other({ image: '${use(Web.provision.image)}' })))).toEqual([
      'configurations/0/provision/image: is a circular reference; replace one of the references with a value.',
      'configurations/1/provision/image: is a circular reference; replace one of the references with a value.',
    ]);
  });

  test('copies of copies that would exhaust the memory', () => {
    const layers = Array.from({ length: 18 }, (_, index) => ({
      role: 'web',
      flag: `L${index}`,
      provision: { image: `\${use(L${index + 1}.provision.image)}`.repeat(6) },
    }));
    const last = { role: 'web', flag: 'L18', provision: { image: 'x' } };
    expect(problemsOf(templateOf(...layers, last)).some((line) => line.includes('copies too much'))).toBe(
      true,
    );
  });
});

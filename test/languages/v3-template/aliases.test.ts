import { describe, expect, test } from 'vitest';
import { resolveAliases } from '../../../src/languages/v3-template/aliases.ts';
import { compiled, type Members, problemsOf, templateOf, webLayer } from './documents.ts';

const model = (layer: unknown) => compiled(templateOf(layer)).model;
const balancer = (listener: Members, check: Members) =>
  webLayer({ load_balancer: { listeners: [listener], health_check: check } });

describe('an alias has the same meaning as the current name', () => {
  test.each<[string, unknown, unknown]>([
    [
      'network_acl',
      webLayer({
        network_acl: [
          { RuleNumber: 9, Protocol: '6', RuleAction: 'deny', Egress: true, CidrBlock: '10.0.0.0/8' },
        ],
      }),
      webLayer({
        network_acl: [
          { rule_number: 9, protocol: '6', rule_action: 'deny', acl_egress: true, cidr_block: '10.0.0.0/8' },
        ],
      }),
    ],
    [
      'security_group',
      webLayer({
        security_group: {
          ingress: [{ CidrIp: '10.0.0.0/8', FromPort: 1, ToPort: 2, IpProtocol: 'tcp' }],
          egress: [{ CidrIp: '10.0.0.0/8', FromPort: '3', ToPort: '4', IpProtocol: 'udp' }],
        },
      }),
      webLayer({
        security_group: {
          ingress: [{ cidr_ip: '10.0.0.0/8', from_port: 1, to_port: 2, ip_protocol: 'tcp' }],
          egress: [{ cidr_ip: '10.0.0.0/8', from_port: 3, to_port: 4, ip_protocol: 'udp' }],
        },
      }),
    ],
    [
      'load_balancer',
      balancer(
        {
          LoadBalancerPort: '443',
          InstancePort: '80',
          Protocol: 'SSL',
          InstanceProtocol: 'TCP',
          CertDomain: 'a.example.com',
        },
        { HealthyThreshold: '3', UnhealthyThreshold: '4', Interval: '20', Timeout: '6', Target: 'TCP:81' },
      ),
      balancer(
        {
          load_balancer_port: 443,
          instance_port: 80,
          protocol: 'ssl',
          instance_protocol: 'tcp',
          cert_domain: 'a.example.com',
        },
        { healthy_threshold: 3, unhealthy_threshold: 4, interval: 20, timeout: 6, target: 'TCP:81' },
      ),
    ],
    [
      'auto_scaling',
      webLayer({ auto_scaling: { max: 4, spot_to_ondemand_ratio: 25 } }),
      webLayer({ auto_scaling: { max: 4, spot_range: 25 } }),
    ],
    [
      'container',
      webLayer(
        {},
        {
          container: {
            image: 'httpd:2.4',
            dockerHubUsername: 'someone',
            dockerHubPassword: 'hidden',
            codeDir: '/srv',
            gitRepo: 'https://git.example.com/a.git',
            gitReference: 'main',
            gitPrivateKey: 'key',
            ports: [80],
            environmentVariables: { A: 'b' },
            users: [{ name: 'u', publicKey: 'ssh-ed25519 AAAA' }],
            addon: [{ name: 'mackerel', apiKey: 'k' }],
            updated: '${computed}',
          },
        },
      ),
      webLayer(
        {},
        {
          container: {
            container_image: 'http://httpd:2.4',
            container_registry_username: 'someone',
            container_registry_password: 'hidden',
            container_code_dir: '/srv',
            container_code_repo: 'https://git.example.com/a.git',
            container_git_reference: 'main',
            container_git_private_key: 'key',
            container_ports: ['80'],
            container_env_vars: { A: 'b' },
            container_users: [{ name: 'u', public_key: 'ssh-ed25519 AAAA' }],
            container_addons: [{ name: 'mackerel', api_key: 'k' }],
            container_updated: 1_500_000_000,
          },
        },
      ),
    ],
  ])('%s', (_place, alias, current) => expect(model(alias)).toEqual(model(current)));
});

test('a value under an alias reaches the model', () => {
  const [layer] = model(webLayer({}, { container: { image: 'httpd', codeDir: '/srv', updated: 5 } })).layers;
  expect(layer?.container).toMatchObject({ image: 'httpd', codeDirectory: '/srv' });
});

test('a member set under two names is rejected', () => {
  const container = { image: 'a', container_image: 'b' };
  expect(problemsOf(templateOf(webLayer({}, { container })))).toEqual([
    'configurations/0/container/container_image: is set twice, as "image" and as "container_image"; keep one.',
  ]);
});

test('an alias works only in its own object', () => {
  expect(problemsOf(templateOf(webLayer({ RuleNumber: 1 })))[0]).toMatch(
    /^configurations\/0\/provision\/RuleNumber: unknown member/,
  );
});

test('a path with many slashes becomes the written one in time in proportion to its length', () => {
  const name = `a${'/'.repeat(40_000)}!`;
  const { asWritten } = resolveAliases({ nickname: 'x', [name]: { b: 1 } }, () => undefined);
  const start = process.cpuUsage();
  expect(asWritten(`${name}/b`)).toBe(`${name}/b`);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
  expect(asWritten('name')).toBe('nickname');
});

test('a member name with slashes is not repeated in its path', () => {
  const { asWritten } = resolveAliases({ top: { 'a/b': 1 } }, () => undefined);
  expect(asWritten('top/a/b')).toBe('top/a/b');
});

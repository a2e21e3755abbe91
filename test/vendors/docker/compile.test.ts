import { describe, expect, it } from 'vitest';
import type { Container, Layer, LoadBalancer, StackModel } from '../../../src/model/stack-model.ts';
import { compile } from '../../../src/vendors/docker/compile.ts';
import { fixedServers, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { balanced, cache, compiled, database, refusedPaths } from './documents.ts';

const withLayer = (changes: Partial<Layer>): StackModel => sampleModel({ layers: [sampleLayer(changes)] });

const withBalancer = (changes: Partial<LoadBalancer>): StackModel => {
  const layer = sampleGroup(1, 0);
  const loadBalancer = layer.loadBalancer && { ...layer.loadBalancer, ...changes };
  return sampleModel({ layers: [{ ...layer, loadBalancer }] });
};

const listener = {
  port: 80,
  protocol: 'http',
  instancePort: 80,
  instanceProtocol: 'http',
  certificateDomain: null,
} as const;

const check = { intervalSeconds: 10, timeoutSeconds: 5, healthyThreshold: 2, unhealthyThreshold: 10 };

const container = (changes: Partial<Container> = {}): Container => ({
  image: 'library/some:1',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [80],
  environment: {},
  users: [],
  addons: [],
  storage: null,
  ...changes,
});

const files = (mountPath: string): StackModel =>
  withLayer({ container: container({ storage: { kind: 'efs', id: null, mountPath } }) });

const balancerPath = 'layers/0/loadBalancer';

describe('compile for docker rejects, with the path of the problem,', () => {
  const refused: [string, StackModel, string][] = [
    [
      'a listener that needs a certificate',
      withBalancer({ listeners: [{ ...listener, protocol: 'https' }] }),
      `${balancerPath}/listeners/0/protocol`,
    ],
    [
      'encrypted traffic to instances',
      withBalancer({ listeners: [{ ...listener, instanceProtocol: 'ssl' }] }),
      `${balancerPath}/listeners/0/instanceProtocol`,
    ],
    [
      'two listeners on one port',
      withBalancer({ listeners: [listener, listener] }),
      `${balancerPath}/listeners/1/port`,
    ],
    ['a load balancer without a listener', withBalancer({ listeners: [] }), `${balancerPath}/listeners`],
    [
      'a health check that needs a certificate',
      withBalancer({ healthCheck: { target: 'HTTPS:443/', ...check } }),
      `${balancerPath}/healthCheck/target`,
    ],
    [
      'a health check that would inject lines into the configuration',
      withBalancer({ healthCheck: { target: 'HTTP:80/x\n  server evil', ...check } }),
      `${balancerPath}/healthCheck/target`,
    ],
    ['too many instances', fixedServers(51), 'layers/0/capacity'],
    [
      'a container without an image',
      withLayer({ container: container({ image: null }) }),
      'layers/0/container/image',
    ],
    [
      'a container on the ssh port of the instance',
      withLayer({ container: container({ ports: [22] }) }),
      'layers/0/container/ports',
    ],
    [
      'shared files mounted over system directories',
      files('/usr/share'),
      'layers/0/container/storage/mountPath',
    ],
    ['shared files with a relative mount path', files('data'), 'layers/0/container/storage/mountPath'],
    ['a cache with too many nodes', sampleModel({ caches: [cache({ nodes: 7 })] }), 'caches/0/nodes'],
    [
      'two flags that produce the same container names',
      sampleModel({ layers: [sampleLayer({ flag: 'web-1' }), sampleLayer({ flag: 'Web1' })] }),
      'layers/1/flag',
    ],
    ['a flag without a letter or digit', withLayer({ flag: '—' }), 'layers/0/flag'],
    [
      'a shared group of an unknown layer',
      withLayer({ capacity: { kind: 'shared', groupOf: 'Other' } }),
      'layers/0/capacity/groupOf',
    ],
  ];
  it.each(refused)('%s', (_what, model, path) => expect(refusedPaths(model)).toEqual([path]));

  it('several problems at once', () => {
    const outcome = compile({ ...fixedServers(51), caches: [cache({ nodes: 7 })] });
    expect(outcome.ok ? [] : outcome.problems.map(({ message }) => message)).toEqual([
      'A stack can have at most 50 instances on one machine. This layer brings it to 51.',
      'redis supports up to 6 nodes, not 7.',
    ]);
  });

  const reserved = ['/', '', '/data/', '/data/../etc', '//opt/almanac', '/opt/./almanac', '/opt/almanac/x'];
  it.each([...reserved, '/var/lib', '/var/lib/almanac', '/home', '/home/ec2-user'])(
    'shared files at the reserved or invalid path "%s"',
    (mountPath) => expect(refusedPaths(files(mountPath))).toEqual(['layers/0/container/storage/mountPath']),
  );

  it.each(['/data', '/var/www', '/srv/files', '/home/app', '/var/lib/app', '/mnt'])(
    'but accepts shared files at %s',
    (mountPath) => expect(refusedPaths(files(mountPath))).toEqual([]),
  );
});

describe('a docker document', () => {
  it('has a slot for each member at the minimum size, with spot members counted separately', () => {
    const slots = (min: number, percent: number) =>
      compiled(sampleModel({ layers: [sampleGroup(min, percent)] })).fleets[0]?.slots.map(({ name }) => name);
    expect(slots(3, 50)).toEqual(['web0-0', 'web0-spot-0', 'web0-spot-1']);
    expect(slots(4, 50)).toEqual(['web0-0', 'web0-1', 'web0-spot-0', 'web0-spot-1']);
    expect(slots(0, 0)).toEqual([]);
  });

  it('does not change when a deployment changes what containers run', () => {
    const deployed = (image: string) => compiled(withLayer({ container: container({ image, ports: [81] }) }));
    expect(deployed('library/other:2')).toEqual(deployed('library/some:1'));
  });

  it('changes a hash only for changes that need a new container', () => {
    const hashes = (document: ReturnType<typeof balanced>) =>
      [...document.fleets, ...document.balancers, ...document.services].map(({ hash }) => hash);
    const before = hashes(balanced(2, {}, { databases: [database()] }));
    expect(hashes(balanced(5, {}, { databases: [database({ storageGib: 50 })] }))).toEqual(before);
    expect(hashes(balanced(2, { instanceType: 'x' }, { databases: [database()] }))).not.toEqual(before);
    expect(hashes(balanced(2, {}, { databases: [database({ instanceType: 'x' })] }))).not.toEqual(before);
  });

  it('without a balancer, has the address of the first server the internet could reach', () => {
    const inner = sampleLayer({
      flag: 'Inner',
      subnet: { cidr: '10.0.1.0/24', public: false, assignPublicIp: false },
    });
    const gate = sampleLayer({ flag: 'Gate', role: 'bastion' });
    const document = compiled(sampleModel({ layers: [inner, gate, sampleLayer()] }));
    expect(document.outputs).toMatchObject([{ key: 'Address', of: ['web0-0'] }]);
  });
});

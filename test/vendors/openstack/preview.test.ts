import { describe, expect, it } from 'vitest';
import type { Database, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { preview } from '../../../src/vendors/openstack/preview.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleModel } from '../sample-model.ts';
import { type CompileOptions, documentOf, nextDocument } from './compile-world.ts';
import { fullOffer, image } from './offer.ts';

const changes = (before: StackModel, after: StackModel, options: CompileOptions = {}) => {
  const existing = documentOf(before);
  return preview(existing, nextDocument(existing, after, options)).map(
    ({ action, resource, members, warning }) =>
      [action, resource, members.join(' '), warning].filter((each) => each !== '').join(' | '),
  );
};

const withLayer = (changed: Partial<Layer>): StackModel => fixedServers(1, changed);
const withDatabase = (changed: Partial<Database> = {}): StackModel =>
  sampleModel({ databases: [sampleDatabase(changed)] });
const withCache = (engine: 'redis' | 'memcached', nodeType = 'cache.t2.micro'): StackModel =>
  sampleModel({ caches: [{ name: 'sessions', engine, nodeType, nodes: 1 }] });

describe('the preview of an update', () => {
  it('of nothing is empty, and of a new stack lists every resource', () => {
    expect(changes(sampleModel(), sampleModel())).toEqual([]);
    const document = documentOf(sampleModel());
    const added = preview(null, document);
    expect(added.map(({ resource }) => resource)).toEqual(Object.keys(document.template.resources));
    expect(new Set(added.map(({ action }) => action))).toEqual(new Set(['add']));
  });

  it('changes the flavor of a server in place, with a restart', () => {
    expect(changes(sampleModel(), withLayer({ instanceType: 't2.medium' }))).toEqual([
      'change | Instance0OfWeb0 | flavor | The server is stopped and started.',
    ]);
  });

  it('rebuilds a server for another image', () => {
    const offer = { images: [...fullOffer().images, image('other')] };
    expect(changes(sampleModel(), withLayer({ machineImage: 'other' }), { offer })).toEqual([
      'change | Instance0OfWeb0 | image | The server is rebuilt from the image.',
    ]);
  });

  it('replaces a server with its volume, when it no longer boots from its own disk', () => {
    const [volume, server] = [
      expect.stringMatching(/^add \| Volume_[0-9a-f]{8}_0OfWeb0$/),
      'replace | Instance0OfWeb0 | block_device_mapping_v2 image',
    ];
    const found = changes(sampleModel(), withLayer({ volume: { type: null, sizeGib: 30 } }));
    expect(found).toEqual(expect.arrayContaining([volume, server]));
  });

  it('a server that is replaced gets another volume: the old one still boots from the first', () => {
    const booting = (keyPair: boolean) => withLayer({ keyPair, volume: { type: null, sizeGib: 30 } });
    const volumes = changes(booting(true), booting(false)).filter((change) => change.includes('Volume'));
    expect(volumes).toEqual([
      expect.stringMatching(/^add \| Volume_/),
      expect.stringMatching(/^remove \| Volume_/),
    ]);
  });

  it('moves the ports of a subnet whose block changes: their servers stay', () => {
    const subnet = { cidr: '10.0.7.0/24', public: true, assignPublicIp: true };
    const replaced = changes(sampleModel(), withLayer({ subnet }));
    expect(replaced.toSorted()).toEqual([
      'change | Port0OfWeb0 | fixed_ips | Its server gets another address.',
      'replace | RouterInterfaceWeb0 | subnet',
      'replace | SubnetWeb0 | cidr',
    ]);
  });

  it('a fixed server waits for no second report of its agent when it stays: for another script, block or rule', () => {
    const subnet = { cidr: '10.0.7.0/24', public: true, assignPublicIp: true };
    const moved = { baseUrl: 'https://other.example.com' };
    const found = [
      ...changes(sampleModel(), sampleModel(), moved),
      ...changes(sampleModel(), withLayer({ subnet }), moved),
    ];
    expect(found.filter((change) => change.includes('Wait'))).toEqual([]);
    expect(changes(sampleModel(), withLayer({ keyPair: false }))).toContainEqual(
      expect.stringMatching(/^add \| WaitHandle/),
    );
  });

  it('changes rules and tags in place', () => {
    const securityGroup = { ingress: [], egress: [] };
    expect(changes(sampleModel(), withLayer({ securityGroup }))).toContain(
      'change | SecurityGroupWeb0 | rules',
    );
    const tagged = changes(sampleModel(), sampleModel({ tags: { team: 'shop' } }));
    expect(tagged.every((change) => change.startsWith('change'))).toBe(true);
  });

  it('replaces the members of a group in batches for another script, and resizes them for another flavor', () => {
    const group = (changed: Partial<Layer>): StackModel =>
      sampleModel({ layers: [{ ...sampleGroup(2, 0), ...changed }] });
    expect(changes(group({}), group({ instanceType: 't2.medium' }))).toEqual([
      'change | AutoScalingGroupWeb0 | resource/properties/flavor',
    ]);
    expect(changes(group({}), group({ keyPair: false }))).toContain(
      'change | AutoScalingGroupWeb0 | resource/properties/key | Its servers are replaced, one batch after the other.',
    );
  });

  it('rebuilds the members of a group in batches for another image', () => {
    const group = (machineImage: string | null): StackModel =>
      sampleModel({ layers: [{ ...sampleGroup(2, 0), machineImage }] });
    const offer = { images: [...fullOffer().images, image('other')] };
    expect(changes(group(null), group('other'), { offer })).toEqual([
      'change | AutoScalingGroupWeb0 | resource/properties/image | Its servers are rebuilt, one batch after the other.',
    ]);
  });

  it('says that K5 may replace the members of a group when its launch configuration is another', () => {
    const group = (machineImage: string | null): StackModel =>
      sampleModel({ layers: [{ ...sampleGroup(2, 0), machineImage }] });
    const [offer, dialect] = [{ images: [...fullOffer().images, image('other')] }, 'k5'] as const;
    const before = documentOf(group(null), { dialect });
    const after = nextDocument(before, group('other'), { dialect, offer });
    expect(preview(before, after).find(({ resource }) => resource.startsWith('AutoScaling'))).toMatchObject({
      action: 'change',
      members: ['LaunchConfigurationName'],
      warning: 'Its servers may be replaced.',
    });
  });

  it('warns of the address that goes with a load balancer', () => {
    const removed = changes(sampleModel({ layers: [sampleGroup(2, 0)] }), sampleModel());
    expect(removed).toContain(
      'remove | LoadBalancerAddressWeb0 | Its address is lost. Update everything that refers to the address.',
    );
    expect(removed).toContain('remove | LoadBalancerWeb0');
  });

  it('changes size and flavor of a database in place, and replaces it for another version', () => {
    const offer = { datastores: [{ name: 'mysql', versions: ['8.0', '8.4'] }] };
    expect(changes(withDatabase(), withDatabase({ storageGib: 30, instanceType: 'db.t2.medium' }))).toEqual([
      'change | Databaseapp | flavor size',
    ]);
    expect(changes(withDatabase(), withDatabase({ engineVersion: '8.4' }), { offer })).toEqual([
      'replace | Databaseapp | datastore_version',
    ]);
  });

  it('keeps a cache when its flavor changes, and replaces it by another for another engine', () => {
    expect(changes(withCache('redis'), withCache('redis', 'cache.t2.medium'))).toEqual([
      'change | Redis0Ofsessions | flavor | The server is stopped and started.',
    ]);
    expect(changes(withCache('redis'), withCache('memcached'))).toEqual(
      expect.arrayContaining([
        'add | Memcached0Ofsessions',
        'remove | Redis0Ofsessions',
        'remove | RedisData0Ofsessions',
      ]),
    );
  });
});

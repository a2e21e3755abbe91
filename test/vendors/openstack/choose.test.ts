import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../src/vendors/openstack/choose/offer.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { choicesOf, type choose, problemsOf } from './choose-world.ts';
import { documentOf } from './compile-world.ts';
import { fullOffer, image } from './offer.ts';

const without = (service: 'load-balancer' | 'database' | 'key-manager' | 'volumev3'): Partial<Offer> => ({
  services: new Set([...fullOffer().services].filter((each) => each !== service)),
});

const balanced = sampleModel({ layers: [sampleGroup(2, 0)] });
const encrypted = sampleModel({
  layers: balanced.layers.map((layer) => ({
    ...layer,
    loadBalancer: layer.loadBalancer && {
      ...layer.loadBalancer,
      listeners: [
        {
          port: 443,
          protocol: 'https',
          instancePort: 80,
          instanceProtocol: 'http',
          certificateDomain: 'a.test',
        },
      ],
    },
  })),
});

describe('what a cloud lacks is rejected by name before anything is made:', () => {
  it('a region that is not in the catalog, with those that are', async () => {
    expect(await problemsOf(sampleModel({ region: 'Mars' }))).toEqual([
      { path: 'region', message: 'There is no region Mars; this cloud has RegionOne.' },
    ]);
  });

  it('load balancers without Octavia, databases without Trove, certificates without Barbican', async () => {
    const database = sampleModel({ databases: [sampleDatabase()] });
    const messages = [
      ...(await problemsOf(balanced, without('load-balancer'))),
      ...(await problemsOf(database, without('database'))),
      ...(await problemsOf(encrypted, without('key-manager'))),
    ].map(({ path, message }) => `${path}: ${message.split('. ')[0]}`);
    expect(messages).toEqual([
      'layers/0/loadBalancer: The cloud has no load balancers (Octavia)',
      'databases/0/engine: The cloud has no database service (Trove)',
      'layers/0/loadBalancer/listeners/0/certificateDomain: The cloud has no key manager (Barbican), so its load balancers have no certificates',
    ]);
  });

  it('volumes without block storage', async () => {
    const model = fixedServers(1, { volume: { type: null, sizeGib: 30 } });
    expect(await problemsOf(model, without('volumev3'))).toMatchObject([{ path: 'layers/0/volume' }]);
    expect(await problemsOf(fixedServers(1), without('volumev3'))).toEqual([]);
  });

  it('engines and versions of databases that Trove does not have', async () => {
    const model = sampleModel({
      databases: [
        sampleDatabase({ engineVersion: '9.1' }),
        sampleDatabase({ name: 'other', engine: 'postgresql' }),
      ],
    });
    expect(await problemsOf(model, { datastores: [{ name: 'mysql', versions: ['8.0'] }] })).toEqual([
      {
        path: 'databases/0/engineVersion',
        message: 'The database service has no version 9.1 of mysql. Use one of 8.0.',
      },
      { path: 'databases/1/engine', message: 'The database service has no postgresql.' },
    ]);
  });

  it('zones and images that do not exist', async () => {
    const model = fixedServers(1, { zone: 'az9', machineImage: 'beos' });
    expect(await problemsOf(model)).toEqual([
      { path: 'layers/0/zone', message: 'There is no zone az9 in RegionOne. Use one of nova.' },
      {
        path: 'layers/0/machineImage',
        message: 'There is no image beos. Use one of cirros, debian-12, ubuntu-22.04.',
      },
    ]);
  });

  it('an external network, if there is none, or if there are several and the document names none of them', async () => {
    const networks = ['one', 'two'].map((name) => ({ id: `id-of-${name}`, name }));
    const options = (externalNetwork: string) => ({ vendorOptions: { externalNetwork, flavors: {} } });
    expect(await problemsOf(sampleModel(), { externalNetworks: [] })).toMatchObject([{ path: 'vendor' }]);
    expect(await problemsOf(sampleModel(), { externalNetworks: networks })).toEqual([
      {
        path: 'vendor',
        message:
          'The cloud has several external networks: one, two. Name one as external_network in the vendor section.',
      },
    ]);
    expect(await problemsOf(sampleModel(options('three')), { externalNetworks: networks })).toEqual([
      {
        path: 'vendorOptions/externalNetwork',
        message: 'There is no external network three. Use one of one, two.',
      },
    ]);
    const chosen = await choicesOf(sampleModel(options('two')), { externalNetworks: networks });
    expect(chosen.externalNetwork).toBe('id-of-two');
  });
});

describe('choices', () => {
  it('take the newest public image of Debian or of Ubuntu with long-term support, and keep it when a newer one appears', async () => {
    const images = [
      image('ubuntu-23.10', { createdAt: 9 }),
      image('Ubuntu Server 24.04', { createdAt: 5 }),
      image('x', { distribution: 'debian', release: '12', createdAt: 4 }),
      image('debian-own', { createdAt: 8, isPublic: false }),
    ];
    const chosen = await choicesOf(sampleModel(), { images });
    expect(chosen.servers['Web0']?.image).toBe('id-of-Ubuntu Server 24.04');
    const before = documentOf(sampleModel());
    const kept = await choicesOf(sampleModel(), { images: [...fullOffer().images, ...images] }, { before });
    expect(kept.servers['Web0']?.image).toBe('id-of-debian-12');
    const renamed = fixedServers(1, { machineImage: 'x' });
    expect((await choicesOf(renamed, { images }, { before })).servers['Web0']?.image).toBe('id-of-x');
  });

  it('give a server a volume if the document asks for one, if its flavor has no disk, and always on K5', async () => {
    const diskless = fullOffer().flavors.map((each) => Object.assign({}, each, { diskGib: 0 }));
    const volumeOf = async (...input: Parameters<typeof choose>) =>
      (await choicesOf(...input)).servers['Web0']?.volume;
    expect(await volumeOf(sampleModel())).toBeNull();
    expect(await volumeOf(fixedServers(1, { volume: { type: 'ssd', sizeGib: 50 } }))).toMatchObject({
      sizeGib: 50,
      type: 'ssd',
    });
    expect(await volumeOf(fixedServers(1, { volume: { type: 'gp2', sizeGib: null } }))).toMatchObject({
      sizeGib: 20,
      type: '',
    });
    expect(await volumeOf(sampleModel(), { flavors: diskless })).toMatchObject({ sizeGib: 20, type: '' });
    expect(await volumeOf(sampleModel(), {}, { dialect: 'k5' })).toMatchObject({ sizeGib: 20, type: '' });
  });

  it('reject a volume that is smaller than the image', async () => {
    const images = [image('debian-12', { minDiskGib: 40 })];
    const model = fixedServers(1, { volume: { type: null, sizeGib: 30 } });
    expect(await problemsOf(model, { images })).toEqual([
      {
        path: 'layers/0/volume/sizeGib',
        message: 'Image debian-12 needs 40 GiB, more than the volume has. Use a larger one.',
      },
    ]);
  });

  it('keep the version of an existing database, and take the part of a version that Trove has', async () => {
    const model = (changes: Parameters<typeof sampleDatabase>[0]) =>
      sampleModel({ databases: [sampleDatabase(changes)] });
    const datastores = [{ name: 'mysql', versions: ['8.4.2', '8.0.36'] }];
    const versionOf = async (...input: Parameters<typeof choose>) =>
      (await choicesOf(...input)).databases['app']?.version;
    expect(await versionOf(model({}), { datastores })).toBe('8.4.2');
    expect(await versionOf(model({ engineVersion: '8.0' }), { datastores })).toBe('8.0.36');
    const before = documentOf(model({}));
    expect(await versionOf(model({}), { datastores }, { before })).toBe(
      before.choices.databases['app']?.version,
    );
  });

  it('ask the database service and the key manager only for stacks that need them', async () => {
    const asked: string[] = [];
    await choicesOf(sampleModel(), {}, { asked });
    expect(asked).not.toContain('datastores');
    expect(asked).not.toContain('certificates');
    const certificates = [{ name: 'a.test', reference: 'https://keys/1' }];
    const chosen = await choicesOf(encrypted, { certificates });
    expect(chosen.certificates).toEqual({ 'a.test': 'https://keys/1' });
  });

  it('place a stack of K5 in one zone, that of its first layer that names one', async () => {
    const layers = [
      sampleLayer({ keyPair: false }),
      sampleLayer({
        flag: 'b',
        zone: 'b1',
        subnet: { cidr: '10.0.1.0/24', public: false, assignPublicIp: false },
      }),
    ];
    const zones = { servers: ['a1', 'b1'], volumes: [] };
    expect((await choicesOf(sampleModel({ layers }), { zones }, { dialect: 'k5' })).zone).toBe('b1');
    expect((await choicesOf(sampleModel(), { zones }, { dialect: 'k5' })).zone).toBe('a1');
    expect((await choicesOf(sampleModel(), { zones })).zone).toBe('');
  });
});

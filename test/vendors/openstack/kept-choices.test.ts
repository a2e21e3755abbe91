import { describe, expect, it } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Offer } from '../../../src/vendors/openstack/choose/offer.ts';
import { compile } from '../../../src/vendors/openstack/compile.ts';
import type { DialectName } from '../../../src/vendors/openstack/dialect.ts';
import type { OpenStackDocument } from '../../../src/vendors/openstack/document.ts';
import { readFacts } from '../../../src/vendors/openstack/facts/read-facts.ts';
import { preview } from '../../../src/vendors/openstack/preview.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleModel } from '../sample-model.ts';
import { choicesOf, type choose, problemsOf } from './choose-world.ts';
import { FakeCloud } from './fake-cloud.ts';
import { flavor, image } from './offer.ts';

type Options = Parameters<typeof choose>[2];

/** A version of a stack, on what the cloud offers at that time. */
async function versionOf(model: StackModel, offer: Partial<Offer>, options: Options = {}) {
  const dialect: DialectName = options.dialect ?? 'openstack';
  const choices = await choicesOf(model, offer, options);
  const outcome = compile({
    model: { ...model, region: 'RegionOne' },
    stackId: 'mo-1',
    choices,
    dialect,
    baseUrl: 'https://almanac.example.com',
  });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

/** What an update with the same document does after the cloud changed. */
async function unrelatedUpdate(
  model: StackModel,
  [then, now]: readonly [then: Partial<Offer>, now: Partial<Offer>],
  options: Options = {},
) {
  const before = await versionOf(model, then, options);
  return preview(before, await versionOf(model, now, { ...options, before }));
}

const redis = sampleModel({
  caches: [{ name: 'sessions', engine: 'redis', nodeType: 'cache.t2.micro', nodes: 1 }],
});
const zoned = (model: StackModel): StackModel => ({
  ...model,
  layers: model.layers.map((layer) => ({
    ...layer,
    zone: 'az1',
    volume: { type: 'gp2', sizeGib: 30 },
  })),
});
const zones = (volumes: readonly string[]): Partial<Offer> => ({
  zones: { servers: ['az1', 'az2'], volumes },
});

describe('an update that asks for nothing new leaves all servers as they are, when the cloud', () => {
  const old = image('debian-12', { createdAt: 2 });
  const newer = { images: [image('debian-13', { createdAt: 3 })] };

  it('retires their image: it is still there by its id', async () => {
    for (const model of [sampleModel(), redis, sampleModel({ layers: [sampleGroup(2, 0)] })])
      expect(await unrelatedUpdate(model, [{}, newer], { unlisted: [old] })).toEqual([]);
  });

  it('offers the zone for volumes no longer, or only later', async () => {
    for (const model of [zoned(fixedServers(1)), zoned(sampleModel({ layers: [sampleGroup(2, 0)] }))]) {
      expect(await unrelatedUpdate(model, [zones(['az1']), zones([])])).toEqual([]);
      expect(await unrelatedUpdate(model, [zones([]), zones(['az1'])])).toEqual([]);
    }
  });

  it('offers the zone for volumes no longer, or only later, with the caches of K5', async () => {
    for (const offers of [
      [zones(['az1']), zones([])],
      [zones([]), zones(['az1'])],
    ] as const)
      expect(await unrelatedUpdate(redis, offers, { dialect: 'k5' })).toEqual([]);
  });

  it('gets the type of volume later that the document names', async () => {
    const later = { ...zones(['az1']), volumeTypes: ['ssd', 'gp2'] };
    expect(await unrelatedUpdate(zoned(fixedServers(1)), [zones(['az1']), later])).toEqual([]);
    expect(await unrelatedUpdate(zoned(fixedServers(1)), [later, zones(['az1'])])).toEqual([]);
  });
});

describe('a choice that the cloud has deleted is named, and the update refused:', () => {
  const before = (model: StackModel): Promise<OpenStackDocument> => versionOf(model, {});

  it('an image of servers, until the document names another', async () => {
    const images = [image('debian-13', { createdAt: 3 })];
    const options = { before: await before(sampleModel()) };
    expect(await problemsOf(sampleModel(), { images }, options)).toEqual([
      {
        path: 'layers/0/machineImage',
        message:
          'Image id-of-debian-12, from which the servers were made, was deleted from the cloud, and Heat accepts no update that names it. Name another image here: the servers are rebuilt from it, and what is only on their disks is lost.',
      },
    ]);
    const named = fixedServers(1, { machineImage: 'debian-13' });
    expect((await choicesOf(named, { images }, options)).servers['Web0']?.image).toBe('id-of-debian-13');
  });

  it('an image of a cache, until the cache has another name', async () => {
    const images = [image('debian-13', { createdAt: 3 })];
    const problems = await problemsOf(redis, { images }, { before: await before(redis) });
    expect(problems).toContainEqual({
      path: 'caches/0/engine',
      message: expect.stringContaining('Give the cache another name: a new one is made, without its data.'),
    });
  });

  it('a flavor, until the document names another or asks for another type', async () => {
    const flavors = [flavor('m2.small', [1, 2, 0]), flavor('m2.medium', [2, 4, 40])];
    const model = sampleModel({ databases: [sampleDatabase()] });
    const options = { before: await before(model) };
    expect(await problemsOf(model, { flavors }, options)).toMatchObject([
      { path: 'layers/0/instanceType', message: expect.stringContaining('Flavor m1.small') },
      { path: 'databases/0/instanceType', message: expect.stringContaining('Flavor m1.') },
    ]);
    const vendorOptions = {
      externalNetwork: null,
      flavors: { 't2.micro': 'm2.medium', 'db.t2.small': 'm2.medium' },
    };
    expect(await problemsOf({ ...model, vendorOptions }, { flavors }, options)).toEqual([]);
  });

  it('an external network, even if there is only one other', async () => {
    const externalNetworks = [{ id: 'id-of-other', name: 'other' }];
    const options = { before: await before(sampleModel()) };
    expect(await problemsOf(sampleModel(), { externalNetworks }, options)).toEqual([
      {
        path: 'vendor',
        message:
          'External network id-of-public, which the stack uses, is no longer offered. Name another as external_network in the vendor section, one of other: public addresses change.',
      },
    ]);
  });
});

describe('an image by its id', () => {
  const reading = (reply: { status?: number; body?: unknown }) => {
    const cloud = new FakeCloud();
    cloud.services = ['image'];
    cloud.answers = ({ path }) => (path === '/image/v2/images/i-1' ? reply : { status: 404 });
    return readFacts(cloud.client(), cloud.clock).image('i-1');
  };
  const row = { id: 'i-1', name: 'debian-12', created_at: '2026-01-01T00:00:00Z' };

  it('is found if it is hidden from lists or must not be used for new servers', async () => {
    for (const status of ['active', 'deactivated'])
      expect(await reading({ body: { ...row, status, os_hidden: true } })).toMatchObject({ id: 'i-1' });
  });

  it('is absent if it was deleted', async () => {
    expect(await reading({ status: 404 })).toBeUndefined();
    expect(await reading({ body: { ...row, status: 'pending_delete' } })).toBeUndefined();
  });
});

it('the cloud is asked for an image by its id only if the list does not have it', async () => {
  const [asked, before] = [[] as string[], await versionOf(redis, {})];
  const retired = image('debian-12');
  await choicesOf(redis, {}, { asked, before });
  expect(asked).not.toContain(retired.id);
  await choicesOf(redis, { images: [] }, { asked, before, unlisted: [retired] });
  expect(asked.filter((each) => each === retired.id)).toEqual([retired.id]);
});
